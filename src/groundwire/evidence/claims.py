"""What a match asserts, read from its marker and its sentence."""

from __future__ import annotations

from groundwire.evidence.figure_words import PARTS
from groundwire.evidence.restated import content_words
from groundwire.model import CERTAINTY, FAINT, Candidate
from groundwire.record import Record
from groundwire.scan.filters import Sentence
from groundwire.scan.numbers import find_numbers
from groundwire.text.fold import Folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.wording import Wording

#: Claims that a run of this kind decides.
TESTS = "tests_pass"
BUILD = "build_ok"
LINT = "lint_clean"
TYPES = "types_ok"
#: Claims about the state of the work.
STATUS = frozenset(
    "fixed works verified done implemented all_scope coverage ready guarantee safety deployed".split()
)
GIT = {"committed": "commit", "pushed": "push"}
ABSENCE = frozenset(("absence", "no_other"))
CAUSE = "cause"
EDITED = "edited"
SOURCES = frozenset(("reference", "source"))
FIGURES = frozenset(("quantity", "count"))
#: Claims whose sentence itself is compared with what tools returned.
LOOKED_UP = FIGURES | {CAUSE, EDITED}

#: A sentence with one of these tells of work that is not done yet.
_OPEN_CUES = frozenset(("cue.limit", "cue.future", "cue.proposal"))
_OUTCOME_WORDS = ("passed", "passing", "pass", "succeeded", "green")
_TEST_WORDS = ("test", "spec", "suite", "ci ", "assert", "check")
_LINT_WORDS = (" lint", "linting", "linter", "eslint", "ruff ", "clippy", "rubocop")
_WHOLE_WORDS = frozenset("all every entire full whole everything suite".split())


class Claim(Record):
    """One claim: its sort, the folded words of its sentence and of the match in it (``said``).

    ``passed`` is the number of tests that it says passed. ``whole`` tells that it covers all of
    something, ``limited`` that the sentence names its own limits, ``back`` that it refers to
    earlier turns, ``faint`` that the marker is an everyday word, ``certain`` that it is one of
    certainty, ``tests`` and ``lints`` that the sentence names tests or a linter, ``admits`` that
    it tells of a failure itself.
    """

    sort: str
    text: str
    passed: int | None = None
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


class Admitted(Record):
    """What the message itself tells: that something failed, and the words of what is still open."""

    failure: bool = False
    open_words: frozenset[str] = frozenset()


def claim_of(candidate: Candidate, sentence: Sentence, folded: Folded) -> Claim:
    """Read the claim that a match at ``candidate`` in ``sentence`` makes."""
    marker = candidate.marker
    text = folded.text[sentence.start : sentence.end]
    cues = {cue.marker.id for cue in sentence.cues}
    return Claim(
        marker.claim,
        text,
        _passed(folded, sentence) if marker.claim == TESTS else None,
        not _WHOLE_WORDS.isdisjoint(text.split()),
        "cue.limit" in cues,
        "cue.earlier" in cues,
        marker.strength == FAINT,
        tells_failure(sentence),
        folded.text[candidate.start : candidate.end],
        marker.strength == CERTAINTY,
        any(word in text for word in _TEST_WORDS),
        any(word in text for word in _LINT_WORDS),
    )


def admitted_by(sentences: Sequence[Sentence]) -> Admitted:
    """Collect what a message admits, from all of its sentences."""
    words: set[str] = set()
    for sentence in sentences:
        if any(cue.marker.id in _OPEN_CUES for cue in sentence.cues):
            words |= content_words(sentence.text[sentence.start : sentence.end])
    return Admitted(any(map(tells_failure, sentences)), frozenset(words))


def tells_failure(sentence: Sentence) -> bool:
    """Tell whether a sentence reports a failure, and does not deny one."""
    cues = {cue.marker.id for cue in sentence.cues}
    return "cue.failure" in cues and "cue.negation" not in cues


def _passed(folded: Folded, sentence: Sentence) -> int | None:
    """Return the number of passed tests that the sentence names; of a part no run tells it."""
    text = folded.masked[slice(*folded.span(sentence.start, sentence.end))]
    for quantity in find_numbers(text):
        if quantity.unit.startswith("test") or quantity.outcome in _OUTCOME_WORDS:
            is_part = not PARTS.isdisjoint(text[quantity.start : quantity.end].lower().split())
            return None if is_part else int(quantity.value)
    return None
