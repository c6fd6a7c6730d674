"""A short sentence that stands word for word in something that the turn read or fetched."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.message.wording import LABEL_WORDS
from groundwire.model import SUPPORTED, Verdict
from groundwire.text.fold import DIGIT, FILLER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_FEWEST_WORDS = 2
_MOST_WORDS = 14
_LONGEST = 200
_MARKS = " .!*_`\"'-:;,>#"
#: What may stand before and behind a sentence that is quoted as a whole.
_BEFORE = "\n.!?:;-*>#|(\"'\u2022\u2013\u2014"
_BEHIND = "\n.!?;|)\"'<"


def restates_read(claim: Claim, facts: Facts) -> Verdict | None:
    """Return ``supported`` when a result holds the sentence of a claim as a whole, else None.

    What the turn wrote itself, in a file or in a command, makes nothing known.
    """
    sentence = _sentence(claim)
    count = len(sentence.split())
    if not _FEWEST_WORDS <= count <= _MOST_WORDS or len(sentence) > _LONGEST:
        return None
    for source, text in zip(facts.seen.sources, facts.seen.lowered, strict=True):
        call = facts.calls[source.index]
        if source.is_report or (call.name in SHELL_TOOLS and sentence in _command(call.input)):
            continue
        if _stands(sentence, text):
            if any(sentence in own.lower() for own in facts.seen.written()):
                return None
            return Verdict(SUPPORTED, f"{source.name} says so", source.call_id)
    return None


def _sentence(claim: Claim) -> str:
    """Return the sentence of a claim in lower case, with its code and numbers."""
    text = claim.text
    if (FILLER in text or DIGIT in text) and claim.wording:  # a label is worded with what follows
        is_label = len(text.split()) <= LABEL_WORDS or text.endswith(":")
        text = "" if is_label else " ".join(claim.wording.original.split())
    return text.strip(_MARKS).lower()


def _command(given: dict[str, object]) -> str:
    return str(given.get("command", "")).lower()


def _stands(sentence: str, text: str) -> bool:
    """Tell whether a text holds a sentence between marks that end one."""
    at = text.find(sentence)
    while at >= 0:
        before = text[:at].rstrip(" *_`")[-1:] if at else "\n"
        end = at + len(sentence)
        behind = text[end : end + 3].lstrip(" *_`")[:1] or "\n"
        if (before in _BEFORE or text[at - 1 : at] == "\n") and behind in _BEHIND:
            return True
        at = text.find(sentence, at + 1)
    return False
