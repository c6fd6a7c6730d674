"""Plain statements of a message: what is said of what, whether it holds, and of how many.

Only simple declarative clauses are read. Questions, conditions, contrast, sequences, quotations
and everything with a word that could change the sense are left out (``statement_words``).
"""

from __future__ import annotations

from groundwire.scan.statement_words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    EXISTENCE,
    NEGATIONS,
    PREDICATES,
    SENTENCE_GUARDS,
    STATIVE,
)
from groundwire.text.fold import DIGIT, Folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.scan.clauses import Statement

_ARROWS = ("\u2192", "->", "=>", '"')
_ABBREVIATED = ("e.g", "i.e")
_DENIED = "n't"
#: Words that many sentences share.
_COMMON = DETERMINERS | ADVERBS | AUXILIARIES | NEGATIONS
#: Without one of these a sentence is a statement only as the opposite of one that denies it.
_TELLING = frozenset(PREDICATES) | STATIVE | EXISTENCE
_MARKS = ",.;:!?()[]*_~\x1d\u2705\u274c"
_PAIR = 2


def find_statements(folded: Folded, sentences: list[tuple[int, int]]) -> Iterator[Statement]:
    """Yield the plain statements in order of position. Linear.

    Full clauses are read only where one may deny another, and nothing where a single sentence
    states anything.
    """
    bare = folded.text
    for mark in _MARKS:
        bare = bare.replace(mark, " ")
    texts = [bare[start:end] for start, end in sentences]
    words = [text.split() for text in texts]
    denied = {word for one in zip(texts, words, strict=True) if _denies(*one) for word in one[1]}
    denied -= _COMMON
    zero = _has_zero(folded.original)
    arrows = tuple(mark for mark in _ARROWS if mark in folded.text)
    stating = [
        number
        for number, (start, end) in enumerate(sentences)
        if _states(words[number], denied, zero and DIGIT in texts[number])
        and _is_plain(folded.text, start, end, arrows)
    ]
    if len(stating) < _PAIR:
        return
    from groundwire.scan.clauses import read_sentences  # few messages need it

    yield from read_sentences(folded, sentences, stating, bool(denied))


def _denies(text: str, words: list[str]) -> bool:
    return _DENIED in text or not NEGATIONS.isdisjoint(words)


def _has_zero(text: str) -> bool:
    """Tell whether "0 errors" may stand somewhere."""
    at = text.find("0 ")
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] in ".,"):
        at = text.find("0 ", at + 1)
    return at >= 0


def _states(words: list[str], denied: set[str], zero: bool) -> bool:
    """Tell whether a sentence may hold a statement that another one can contradict.

    It has a word that tells how things are, or says what is ``denied``: of three words or more
    that a denial has beside "not", its opposite has at least two.
    """
    telling = zero or not _TELLING.isdisjoint(words)
    if not telling and (not denied or len(denied.intersection(words)) < _PAIR):
        return False
    return SENTENCE_GUARDS.isdisjoint(words)


def _is_plain(text: str, start: int, end: int, arrows: tuple[str, ...]) -> bool:
    if text.endswith(("?", ":"), start, end):
        return False
    sentence = text[start:end]
    return not any(mark in sentence for mark in arrows) and not any(
        mark in sentence for mark in _ABBREVIATED
    )
