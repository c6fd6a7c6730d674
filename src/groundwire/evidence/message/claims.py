"""What a match asserts, read from its marker and its sentence."""

from __future__ import annotations

from groundwire.evidence.message.admitted import tells_failure
from groundwire.evidence.message.shares import excepts, tells_rest
from groundwire.model import CERTAINTY, FAINT, Candidate
from groundwire.record import Record
from groundwire.scan.filters import Sentence
from groundwire.scan.numbers import COUNT, find_numbers
from groundwire.text.fold import Folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.wording import Wording

#: Claims that a run of this kind decides.
TESTS = "tests_pass"
BUILD = "build_ok"
LINT = "lint_clean"
TYPES = "types_ok"
#: Claims about the state of the work.
STATUS = frozenset(
    "fixed works verified made done implemented all_scope coverage ready guarantee safety "
    "requested".split()
)
GIT = {"committed": "commit", "pushed": "push"}
ABSENCE = frozenset(("absence", "no_other"))
#: Claims that can say that something was left alone, or restate what was read.
LEFT_ALONE = ABSENCE | {"safety", "guarantee"}
CAUSE = "cause"
#: Causes in plain words: something that is made light of, a limit that was hit, a failure that is
#: said to come and go, what brought a package along, and a program that is said to have done it.
BLAMED = "blamed"
LIMIT = "limit_hit"
FLAKY = "flaky"
PULLED_IN = "pulled_in"
ACTOR = "actor"
PLAIN_CAUSES = frozenset((BLAMED, LIMIT, FLAKY, PULLED_IN, ACTOR))
DEPLOYED = "deployed"
EDITED = "edited"
#: Claims about something that has to be read or searched first.
UNUSED = "unused"
UNREAD = "unread"
PREDICTED = "predicted"
APPEAL = "appeal"
SOURCES = frozenset(("reference", "source"))
FIGURES = frozenset(("quantity", "count"))
#: Claims that can stand elsewhere as a guess; those of runs and figures are looked up.
HEDGED_SORTS = STATUS | {CAUSE}
#: Claims whose sentence itself is compared with what tools returned.
LOOKED_UP = FIGURES | PLAIN_CAUSES | {CAUSE, EDITED, UNUSED, UNREAD, "only_uses"}

#: Claims of which the code in their sentence is read, too.
WORDED = LOOKED_UP | LEFT_ALONE | ABSENCE
WORDED |= {
    TESTS,
    "coverage",
    "fixed",
    "implemented",
    "done",
    "made",
    "own_acts",
    "tree_clean",
    "verified",
}

#: Words behind the number of all tests; any other one names a part of them.
_PLAIN_COUNT = frozenset(
    "of out the all total test tests case cases unit automated spec specs example examples "
    "assertion assertions pass passed passing fail failed failing failure failures green".split()
)
#: A sentence with one of these tells itself that a run is older than the last change.
_NOT_AGAIN = (
    "not rerun",
    "not re-run",
    "not run again",
    "not run them again",
    "not run it again",
    "n't rerun",
    "n't re-run",
    "before the last edit",
    "before the last change",
    "before this change",
    "before my last",
    "before that edit",
)
_WHOLE_WORK = frozenset(("done", "all_scope", "implemented"))
_OF_RUNS = frozenset((TESTS, BUILD, LINT, TYPES, "all_scope"))
_TESTED = ("test", "spec", "suite", "case", "example", "passed", "passing")
_ITEM_WORDS = frozenset("tasks todos to-dos items steps".split())
_CLAUSE_MARKS = (",", ";", ":", "(", ")", " - ", " and all ")
#: A clause with one of these tells of some tests among all.
_PART_WORDS = frozenset(
    "new failing these those both relevant affected related changed touched edited modified".split()
)
_TEST_WORDS = ("test", "spec", "suite", "ci ", "assert", "check")
_LINT_WORDS = (" lint", "linting", "linter", "eslint", "ruff ", "clippy", "rubocop")
_WHOLE_WORDS = frozenset("all every entire full whole everything suite".split())


class Claim(Record):
    """One claim: its sort, the folded words of its sentence and of the match in it (``said``).

    ``passed`` and ``failed`` are the numbers of tests that it says did so, ``part`` tells that
    it speaks of some tests among all. ``whole`` tells that it covers all of
    something, ``limited`` that the sentence names its own limits, ``back`` that it refers to
    earlier turns, ``faint`` that the marker is an everyday word, ``items`` is the number of
    tasks that it calls done, ``certain`` tells that it is one of
    certainty, ``tests`` and ``lints`` that the sentence names tests or a linter, ``admits`` that
    it tells of a failure itself, ``guessed`` that the same statement is a guess elsewhere,
    ``alone`` that no other claim stands in its sentence, ``item`` that it is an item of a list.
    ``named`` are command and sort of what it says has passed, when those are no tests.
    """

    sort: str
    text: str
    passed: tuple[int, ...] = ()
    whole: bool = False
    limited: bool = False
    back: bool = False
    faint: bool = False
    admits: bool = False
    said: str = ""
    certain: bool = False
    tests: bool = False
    lints: bool = False
    wording: Wording | None = None
    failed: tuple[int, ...] = ()
    part: bool = False
    items: int = 0
    guessed: bool = False
    alone: bool = False
    item: bool = False
    named: tuple[tuple[str, str], ...] = ()


def claim_of(candidate: Candidate, sentence: Sentence, folded: Folded) -> Claim:
    """Read the claim that a match at ``candidate`` in ``sentence`` makes."""
    marker = candidate.marker
    text = folded.text[sentence.start : sentence.end]
    cues = {cue.marker.id for cue in sentence.cues}
    masked = folded.masked[slice(*folded.span(sentence.start, sentence.end))]
    passed, failed, part = _told_counts(masked if marker.claim == TESTS else "")
    return Claim(
        marker.claim,
        text,
        passed,
        not _WHOLE_WORDS.isdisjoint(text.split()),
        "cue.limit" in cues
        or any(words in text for words in _NOT_AGAIN)
        or (marker.claim in _WHOLE_WORK and tells_rest(masked.lower())),
        "cue.earlier" in cues and _refers_back(candidate, sentence),
        marker.strength == FAINT,
        tells_failure(sentence, folded) or (marker.claim in _OF_RUNS and excepts(masked.lower())),
        folded.text[candidate.start : candidate.end],
        marker.strength == CERTAINTY,
        any(word in text for word in _TEST_WORDS),
        any(word in text for word in _LINT_WORDS),
        failed=failed,
        items=_items(masked.lower().split()) if marker.claim in _WHOLE_WORK else 0,
        item=sentence.role == "item",
        part=part or not _PART_WORDS.isdisjoint(_clause(candidate, sentence).split()),
    )


def _refers_back(candidate: Candidate, sentence: Sentence) -> bool:
    """In front of a cause "as discussed" does; "already" and "a lock from earlier" do not.

    The same holds in front of a comparison: "it is already merged, I compared both".
    """
    if candidate.marker.claim not in (CAUSE, "copied", *PLAIN_CAUSES):
        return True
    cues = (cue for cue in sentence.cues if cue.marker.id == "cue.earlier")
    return any(
        cue.start < candidate.start and sentence.text[cue.start : cue.end] != "already"
        for cue in cues
    )


def _items(words: list[str]) -> int:
    """Return the number of "all 9 tasks", "9/9 items"; 0 when the words give none."""
    for place, word in enumerate(words):
        number = word.strip("*(").partition("/")[0]
        if not number.isdigit():
            continue
        behind = {one.strip(".,:;!*)") for one in words[place + 1 : place + 4]}
        if not _ITEM_WORDS.isdisjoint(behind):
            whole = words[place - 1].strip("*") if place else ""
            return int(number) if whole in ("all", "the") or "/" in word else 0
    return 0


def _clause(candidate: Candidate, sentence: Sentence) -> str:
    """Return the folded words around a match, from one mark of punctuation to the next."""
    before = sentence.text[sentence.start : candidate.start]
    behind = sentence.text[candidate.end : sentence.end]
    for mark in _CLAUSE_MARKS:
        before, behind = before.rpartition(mark)[2], behind.partition(mark)[0]
    return f"{before} {sentence.text[candidate.start : candidate.end]} {behind}"


def _told_counts(masked: str) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Return the numbers of tests that a masked sentence says passed, and failed.

    Rough numbers ("about 40") are left out, and a part ("5 new tests", "8 parser tests") is, since
    no run tells its number; the last value says that there is one.
    """
    passed: list[int] = []
    failed: list[int] = []
    is_part = False
    for quantity in find_numbers(masked):
        counts = failed if quantity.outcome == "failed" else passed
        if quantity.kind != COUNT or quantity.outcome not in ("passed", "failed"):
            continue
        if quantity.approximate:
            continue
        words = masked[quantity.start : quantity.end].lower().replace("*", " ").split()
        if quantity.total is not None and not any(word in masked.lower() for word in _TESTED):
            continue  # "9/9 tasks", "all checks pass (9/9)"
        if all(word in _PLAIN_COUNT or not word.isalpha() for word in words[1:]):
            counts.append(int(quantity.value))
        else:
            is_part = True
    return tuple(passed), tuple(failed), is_part
