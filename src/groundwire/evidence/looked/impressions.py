"""How what the turn looked at appears: milder than a guess that rests on nothing."""

from __future__ import annotations

from groundwire.model import QUALIFIED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

#: How hedges begin that tell an impression; "I think" and "probably" are guesses.
_IMPRESSIONS = (
    "look", "seem", "appear", "doesn't seem", "from what i", "based on what i", "going by what i",
    "as far as", "so far as", "afai", "as best", "best i", "near as i",
)  # fmt: skip
_SEEN = Verdict(QUALIFIED, "it tells how what the turn looked at appears")


def impression_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "it looks like X" in a turn that looked at something; None for any other guess.

    What "seems to have" happened was not looked at, it is concluded.
    """
    said = claim.said.removeprefix("it ")
    if not said.startswith(_IMPRESSIONS) or _concludes(claim):
        return None
    return _SEEN if facts.actions.looks or facts.actions.searches else None


def _concludes(claim: Claim) -> bool:
    said = claim.said.removesuffix(" to")
    return f"{said} to have " in claim.text
