"""Which sentences of a message may hold a plain statement that another one can contradict."""

from __future__ import annotations

from groundwire.language.fold import DIGIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.language.fold import Folded


def words_of(table: str) -> frozenset[str]:
    """Return the words of a table as a set."""
    return frozenset(table.split())


#: A sentence or a heading with one of these says more than "X is so", or of a case only.
GUARDS = words_of(
    "if when whenever unless until till once before after while whereas although though but except "
    "however without instead otherwise else despite besides would could should might may can will "
    "shall must cannot can't won't wouldn't couldn't shouldn't was were had wasn't weren't hadn't "
    "previously initially earlier originally formerly first then next later afterwards again old "
    "new expected expect expects example examples suppose imagine assume assuming either neither "
    "or nor only just merely used why how what which who where whether that because since as so "
    "let let's please likely probably perhaps maybe think believe seems appears looks supposed "
    "meant ideally normally usually sometimes often typically vs versus unlike rather than longer "
    "yesterday today option options alternative alternatives scenario scenarios case cases plan "
    "planned proposal proposed todo future question questions criteria requirements"
)
_MARKS = ("?", "\u2192", "->", "=>", '"', "e.g", "i.e")
STRIP = " .,:;!?()[]{}*_~\"'\u2014\u2013-|\x1d\u2705\u274c\u2714\u2713\u2717\u26a0"
NEGATIONS = words_of("not never")
NONE = words_of("no none zero 0")
#: Words that change nothing of what is said, and those among them that say it is still so.
STILL = words_of("still currently remain remains remaining left")
EMPTY = STILL | words_of(
    "the a an this these those our your my its their is are am has have been be being do does did "
    "get gets got now all also fully completely successfully already both correctly yet entirely "
    "there overall good great so note unfortunately finally"
)
COUNTING = words_of("has have contains contain includes include")
#: Word -> what it says and whether that is good; two of one sort exclude each other.
SAYING = {
    word: (sort, good)
    for sort, good, words in (
        ("ok", True, "pass passes passing green succeed succeeds work works working fixed solved"),
        ("ok", False, "fail fails failing red broken unresolved unfixed crash crashes crashing"),
        ("was ok", True, "passed succeeded worked"),
        ("was ok", False, "failed crashed"),
        ("done", True, "done complete completed finished implemented ready"),
        ("done", False, "incomplete unfinished unimplemented pending"),
    )
    for word in words.split()
}
TELLING = SAYING.keys() | COUNTING | STILL | NONE | {"there"}


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
        if not GUARDS.isdisjoint(words) or (marks and any(mark in text for mark in marks)):
            continue
        words = [word.strip(STRIP) for word in words]
        if not GUARDS.isdisjoint(words):
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
