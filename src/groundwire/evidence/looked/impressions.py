"""How what the turn looked at appears, and what is not known: milder than a guess."""

from __future__ import annotations

from groundwire.model import QUALIFIED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_SEEN = Verdict(QUALIFIED, "it tells how what the turn looked at appears")
_UNKNOWN = Verdict(QUALIFIED, "it tells what is not known")


def impression_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "it looks like X"; None in a turn that looked at nothing.

    What "seems to have" happened was not looked at, it is concluded.
    """
    said = claim.said.removesuffix(" to")
    if f"{said} to have " in claim.text:
        return None
    looked = facts.actions.looks or facts.actions.searches or facts.actions.opaque
    return _SEEN if looked else None


def doubt_verdict(_claim: Claim, _facts: Facts) -> Verdict:
    """Judge "I don't know why": whoever owns up to a doubt offers no guess as the answer."""
    return _UNKNOWN
