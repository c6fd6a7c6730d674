"""What is still to come, or for a case that may not be, though no condition word opens it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.model import Candidate
    from groundwire.scan.filters import Sentence

#: Verbs of a result in the present, and words that may stand between it and "after".
_PRESENT = frozenset("builds compiles lands merges pass passes starts succeed succeeds".split())
_GUESSED = ("doubt", "guess", "impression", "modal")
#: How a case is put, and how only a reservation is: "if I read it right, it is the cache".
_CASES = (
    "if ",
    "in case ",
    "should the ",
    "should a ",
    "should it ",
    "should this ",
    "should that ",
)
_RESERVATIONS = ("if i ", "if i'm ", "if we ", "if my ", "if memory ", "if anything")
#: What has not happened yet, and what the writer has done: "once the mirror is up, it should work".
_HEDGE = "speculation_language"
_EVENTS = ("once ", "as soon as ")
_OWN_EVENTS = ("once i ", "once we ", "once again", "as soon as i ", "as soon as we ")
#: What opens a rule: "once the certificate is renewed, the warning goes away". In the past tense it
#: tells an event: "when the cache was cleared, the error went away".
_RULES = (
    *_CASES, "once ", "when ", "whenever ", "as soon as ", "unless ", "until ", "as long as ",
    "provided ", "assuming ", "supposing ",
)  # fmt: skip
_OWN = frozenset(("i", "we", "i've", "we've"))
_PAST = frozenset(("was", "were", "did", "had"))
_DETERMINERS = frozenset("all both every my new our the these this those your".split())


def is_awaited(candidate: Candidate, sentence: Sentence) -> bool:
    """Tell whether a result is waited for, or a guess is made for a case that may not be.

    "After the tests pass, tag it"; "if you still see it, it is probably the cache"; "if you only
    need a copy, the old file is probably enough".
    """
    text, start = sentence.text, sentence.start
    if candidate.marker.kind == _HEDGE and text.startswith(_EVENTS, start):
        return not text.startswith(_OWN_EVENTS, start)
    if candidate.marker.claim in _GUESSED and candidate.start > start:
        return _is_case(text, start)
    return _waits_for(candidate, sentence)


def is_ruled(candidate: Candidate, sentence: Sentence) -> bool:
    """Tell whether a claim stands behind the comma of a clause that says when it holds."""
    text, start = sentence.text, sentence.start
    if not text.startswith(_RULES, start) or text.startswith(_RESERVATIONS, start):
        return False
    comma = text.find(", ", start, candidate.start)
    words = text[start:comma].split() if comma >= 0 else []
    return bool(words) and _OWN.isdisjoint(words[1:2]) and _PAST.isdisjoint(words)


def _is_case(text: str, start: int) -> bool:
    return text.startswith(_CASES, start) and not text.startswith(_RESERVATIONS, start)


def _waits_for(candidate: Candidate, sentence: Sentence) -> bool:
    """ "After the build passes, tag it": in the present it has not happened yet."""
    text = sentence.text
    if text[candidate.start : candidate.end].rpartition(" ")[2] not in _PRESENT:
        return False
    words = text[sentence.start : candidate.start].split()
    while words and words[-1] in _DETERMINERS:
        words.pop()
    return words[-1:] == ["after"]
