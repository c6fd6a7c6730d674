"""What is still to come, or for a case that may not be, though no condition word opens it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.model import Candidate
    from groundwire.scan.filters import Sentence

#: Verbs of a result in the present, and words that may stand between it and "after".
_PRESENT = frozenset("builds compiles lands merges pass passes starts succeed succeeds".split())
_GUESSED = ("guess", "modal")
_CASES = (
    "if you're not ", "if you are not ", "if you still ", "if you don't ", "if you do not ",
    "if you want ", "if you just ", "if you only ", "if you need ", "if you prefer ",
    "if you'd rather ", "if you would rather ",
)  # fmt: skip
_DETERMINERS = frozenset("all both every my new our the these this those your".split())


def is_awaited(candidate: Candidate, sentence: Sentence) -> bool:
    """Tell whether a result is waited for, or a guess is made for a case that may not be.

    "After the tests pass, tag it"; "if you still see it, it is probably the cache"; "if you only
    need a copy, the old file is probably enough".
    """
    if candidate.marker.claim in _GUESSED and sentence.text.startswith(_CASES, sentence.start):
        return True
    return _waits_for(candidate, sentence)


def _waits_for(candidate: Candidate, sentence: Sentence) -> bool:
    """ "After the build passes, tag it": in the present it has not happened yet."""
    text = sentence.text
    if text[candidate.start : candidate.end].rpartition(" ")[2] not in _PRESENT:
        return False
    words = text[sentence.start : candidate.start].split()
    while words and words[-1] in _DETERMINERS:
        words.pop()
    return words[-1:] == ["after"]
