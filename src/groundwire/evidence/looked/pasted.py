"""Output that is said to stand in the message as it was printed: what follows is looked up."""

from __future__ import annotations

from groundwire.evidence.reference.quotes import Quotes
from groundwire.model import NOT_CHECKABLE, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_FENCES = ("```", "~~~")
#: Characters of a quoted line, from which on it can be told from others.
_SHORTEST = 40
_SHORTEST_HEAD = 30
_NOTHING_BEHIND = Verdict(NOT_CHECKABLE, "no quoted text stands behind it")
_CHANGED = Verdict(UNSUPPORTED, "no result of this turn holds it as it is quoted")


def pasted_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "the output, exactly as printed:" by the quoted lines behind it, each as a whole."""
    quoted = _quoted(claim.wording.original) if claim.wording else []
    if not quoted:
        return _NOTHING_BEHIND
    quotes = Quotes(facts.seen)
    found = [quotes.holds(line) for line in quoted]
    if all(found):
        return Verdict(SUPPORTED, "a result holds the quoted text")
    missing = [line for line, holds in zip(quoted, found, strict=True) if not holds]
    if facts.seen.whole or any(_goes_on_otherwise(line, facts) for line in missing):
        return _CHANGED
    return Verdict(NOT_CHECKABLE, "not all results of this turn are there")


def _goes_on_otherwise(line: str, facts: Facts) -> bool:
    """Tell whether a result begins as the quoted line does, and goes on with something else."""
    wanted = _letters(line)
    for source in facts.seen.sources:
        text = _letters(source.text)
        at = text.find(wanted[:_SHORTEST_HEAD])
        if 0 <= at <= len(text) - len(wanted) and not text.startswith(wanted, at):
            return True
    return False


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _quoted(text: str) -> list[str]:
    """Return the long lines in fences and block quotes; the last may have been cut off."""
    found: list[str] = []
    is_fenced = False
    for line in text.split("\n")[1:]:
        bare = line.strip()
        if bare.startswith(_FENCES):
            is_fenced = not is_fenced
        elif is_fenced or bare.startswith(">"):
            found.append(bare.lstrip("> "))
    return [line for line in found if len(line) >= _SHORTEST]
