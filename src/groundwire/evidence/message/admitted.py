"""What a message admits itself: that something failed, and which work is still open."""

from __future__ import annotations

from itertools import pairwise

from groundwire.evidence.message.restated import content_words
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.model import Candidate
    from groundwire.scan.filters import Sentence
    from groundwire.text.fold import Folded

#: A sentence with one of these tells of work that is not done yet.
_OPEN_CUES = frozenset(("cue.limit", "cue.future", "cue.proposal"))
_CLAUSE_ENDS = ",;:()\u2013\u2014\n"
#: Words before a failure that are looked at for "no", "0", "never" and the like.
_REACH = 4
_BEHIND = 12
_DENYING = frozenset(
    "0 no none zero not never nothing nor neither without cannot can't didn't doesn't don't isn't "
    "aren't wasn't weren't won't longer".split()
)
#: A failure that was made good, unless the sentence says that it is still there.
_REPAIRED = frozenset(
    "fix fixed fixes fixing resolved resolves resolving repaired corrected addressed solved "
    "eliminated gone disappeared vanished previously formerly".split()
) | frozenset(
    (
        "now pass", "now passes", "now passing", "pass now", "passes now", "now green",
        "now works", "now succeed", "now succeeds",
    )
)  # fmt: skip
_STILL = frozenset("still remain remains remaining persist persists again".split())


class Admitted(Record):
    """What the message itself tells: that something failed, and the words of what is still open.

    ``unchecked`` tells that it says of something that it was not checked.
    """

    failure: bool = False
    open_words: frozenset[str] = frozenset()
    unchecked: bool = False


def admitted_by(sentences: Sequence[Sentence], folded: Folded) -> Admitted:
    """Collect what a message admits, from all of its sentences."""
    words: set[str] = set()
    for sentence in sentences:
        if any(cue.marker.id in _OPEN_CUES for cue in sentence.cues):
            words |= content_words(sentence.text[sentence.start : sentence.end])
    told = any(tells_failure(sentence, folded) for sentence in sentences)
    unchecked = any(
        cue.marker.id == "cue.disclosure" for sentence in sentences for cue in sentence.cues
    )
    return Admitted(told, frozenset(words), unchecked)


def tells_failure(sentence: Sentence, folded: Folded) -> bool:
    """Tell whether a sentence reports a failure that it neither denies nor calls repaired."""
    cues = [cue for cue in sentence.cues if cue.marker.id == "cue.failure"]
    if not cues or all(_is_denied(cue, sentence, folded) for cue in cues):
        return False
    said = [word.strip(".,:;!*`()") for word in _words(sentence.start, sentence.end, folded)]
    words = {*said, *map(" ".join, pairwise(said))}
    return _REPAIRED.isdisjoint(words) or not _STILL.isdisjoint(words)


def _is_denied(cue: Candidate, sentence: Sentence, folded: Folded) -> bool:
    """ "no failures", "0 of 42 failed", "Failures: 0", "does not crash", "never failed"."""
    for word in reversed(_words(sentence.start, cue.start, folded)[-_REACH:]):
        if word[-1] in _CLAUSE_ENDS:
            break
        number = word.strip("*(")
        if number in _DENYING:
            return True
        if number.isdigit():  # the nearer number is the one that counts
            break
    if sentence.end <= cue.end:
        return False
    start = folded.origin(cue.end)
    behind = folded.masked[start : start + _BEHIND].lstrip("*")
    value = behind[1:].lstrip(" *=").partition(" ")[0].strip(".,")
    return behind[:1] in (":", "=") and value == "0"


def _words(start: int, end: int, folded: Folded) -> list[str]:
    """Return the words of the folded stretch with their numbers, in lower case."""
    if start >= end:
        return []
    return folded.masked[slice(*folded.span(start, end))].lower().split()
