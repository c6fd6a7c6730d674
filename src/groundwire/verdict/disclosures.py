"""What a message admits itself, and what of it was sent back before.

A failure, open work and checks before the last edit that it admits speak for the writer. A
statement that was stopped, and returns in other words without a tool call since, does not.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.language.fold import DIGIT
from groundwire.language.words import plain_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.base.model import Candidate
    from groundwire.language.fold import Folded, Sentence

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
    "fix fixed fixes fixing resolved resolves repaired corrected addressed solved eliminated gone "
    "disappeared previously formerly now".split()
)
_STILL = frozenset("still remain remains remaining persist persists again not".split())
#: Words that tell of a failure as it stands; without them "failed" may be what was mended since.
_STANDING = _STILL | frozenset(
    "fails fail failing failures left open cannot can't couldn't doesn't don't isn't aren't unable "
    "stops stop exits refuses refused incomplete broken crashes crashing errors unfixed red".split()
)
#: "I did not run them again after that": what is not done, a check, and a time.
_UNDONE = frozenset("not never didn't haven't hasn't wasn't weren't without".split())
_CHECKING = frozenset("run ran rerun re-run re-ran repeat repeated tested checked built".split())
_LATER = frozenset("again since after afterwards rerun re-run re-ran repeat repeated".split())
_SHORTEST_WORD = 3
_FEWEST_WORDS = 2
#: Share of the content words of a stopped statement that have to come back.
_SHARE = 0.75
_EMPTY_WORDS = frozenset(
    "and are been but can could did does for from had has have into its itself just likely may "
    "maybe might most must not now perhaps possibly probably seems should some suspect than that "
    "the their then there these they think this those very was were what when where which will "
    "with would you your believe guess appears apparently because cause caused causes".split()
)


class Admitted(Record):
    """What the message tells against itself: the words of its failures, and work that is open.

    ``unrepeated``: checks were not run again after an edit.
    """

    failure: frozenset[str] = frozenset()
    open_work: bool = False
    unrepeated: bool = False


def admitted_by(sentences: Sequence[Sentence], folded: Folded) -> Admitted:
    """Collect what a message admits, from all of its sentences. Linear in the message."""
    cues = {cue.marker.id for sentence in sentences for cue in sentence.cues}
    told = (one for one in sentences if tells_failure(one, folded) and _stands(one, folded))
    spans = (slice(*folded.span(one.start, one.end)) for one in told)
    return Admitted(
        frozenset(word for span in spans for word in plain_words(folded.original[span].lower())),
        not _OPEN_CUES.isdisjoint(cues),
        any(_is_unrepeated(one, folded) for one in sentences),
    )


def tells_failure(sentence: Sentence, folded: Folded) -> bool:
    """Tell whether a sentence reports a failure that it neither denies nor calls repaired."""
    cues = [cue for cue in sentence.cues if cue.marker.id == "cue.failure"]
    if not cues or all(_is_denied(cue, sentence, folded) for cue in cues):
        return False
    words = plain_words(_masked(sentence.start, sentence.end, folded))
    return _REPAIRED.isdisjoint(words) or not _STILL.isdisjoint(words)


def _is_unrepeated(sentence: Sentence, folded: Folded) -> bool:
    words = plain_words(_masked(sentence.start, sentence.end, folded))
    return not any(map(frozenset(words).isdisjoint, (_UNDONE, _CHECKING, _LATER)))


def _stands(sentence: Sentence, folded: Folded) -> bool:
    """Tell whether a told failure is there at the end: "still fails", "2 failed", no mere story."""
    words = plain_words(_masked(sentence.start, sentence.end, folded))
    return not _STANDING.isdisjoint(words) or any(word.isdigit() for word in words)


def content_words(text: str) -> frozenset[str]:
    """Return the words of folded ``text`` that carry its content, cut to their stems."""
    words = "".join(c if c.isalnum() or c in "_'-" else " " for c in text).split()
    return frozenset(
        _stem(word)
        for word in words
        if len(word) >= _SHORTEST_WORD and word not in _EMPTY_WORDS and DIGIT not in word
    )


def returns(sentence: str, stopped: tuple[frozenset[str], ...]) -> bool:
    """Tell whether the folded ``sentence`` says again what one of the stopped statements said."""
    words = content_words(sentence) if stopped else frozenset()
    return any(
        len(before) >= _FEWEST_WORDS and len(before & words) >= _SHARE * len(before)
        for before in stopped
    )


def _is_denied(cue: Candidate, sentence: Sentence, folded: Folded) -> bool:
    """ "no failures", "0 of 42 failed", "Failures: 0", "does not crash", "never failed"."""
    for word in reversed(_masked(sentence.start, cue.start, folded).split()[-_REACH:]):
        if word[-1] in _CLAUSE_ENDS:
            break
        number = word.strip("*(")
        if number in _DENYING:
            return True
        if number.isdigit():  # the nearer number is the one that counts
            break
    start = folded.origin(cue.end) if cue.end < sentence.end else len(folded.masked)
    behind = folded.masked[start : start + _BEHIND].lstrip("*")
    value = behind[1:].lstrip(" *=").partition(" ")[0].strip(".,")
    return behind[:1] in (":", "=") and value == "0"


def _masked(start: int, end: int, folded: Folded) -> str:
    """Return the folded stretch with its numbers, without code, in lower case."""
    return folded.masked[slice(*folded.span(start, end))].lower() if start < end else ""


def _stem(word: str) -> str:
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_WORD:
            return word.removesuffix(ending)
    return word
