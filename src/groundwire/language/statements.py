"""Which sentences of a message may hold a plain statement that another one can contradict."""

from __future__ import annotations

from groundwire.base.rules import lists
from groundwire.language.fold import DIGIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.language.fold import Folded


def words_of(table: str) -> frozenset[str]:
    """Return the words of a table as a set."""
    return frozenset(table.split())


_MARKS = ("?", "\u2192", "->", "=>", '"', "e.g", "i.e")
STRIP = " .,:;!?()[]{}*_~\"'\u2014\u2013-|\x1d\u2705\u274c\u2714\u2713\u2717\u26a0"
NEGATIONS = words_of("not never")
NONE = words_of("no none zero 0")
#: Words that change nothing of what is said, and those among them that say it is still so.
STILL = words_of("still currently remain remains remaining left")
EMPTY = STILL | lists.EMPTY_WORDS
COUNTING = words_of("has have contains contain includes include")
TELLING = lists.SAYING.keys() | COUNTING | STILL | NONE | {"there"}


def stating_sentences(folded: Folded, sentences: list[tuple[int, int]]) -> list[int]:
    """Return the numbers of the sentences that may hold a statement; none when there is but one.

    Such a sentence tells how things are, or has two words of another one that denies something.
    """
    plain: dict[int, list[str]] = {}
    denied: set[str] = set()
    marks = [mark for mark in _MARKS if mark in folded.text]
    for number, (start, end) in enumerate(sentences):
        text = folded.text[start:end]
        words = text.split()
        if not lists.STATING_GUARDS.isdisjoint(words) or (
            marks and any(mark in text for mark in marks)
        ):
            continue
        words = [word.strip(STRIP) for word in words]
        if not lists.STATING_GUARDS.isdisjoint(words):
            continue
        plain[number] = words
        if "n't" in text or not NEGATIONS.isdisjoint(words):
            denied.update(words)
    denied -= EMPTY | NEGATIONS
    numbers = [
        number
        for number, words in plain.items()
        if not TELLING.isdisjoint(words) or DIGIT in words or len(denied.intersection(words)) > 1
    ]
    return numbers if len(numbers) > 1 else []
