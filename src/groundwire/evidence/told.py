"""Absences and guarantees that the turn's own calls show, without a search or a run."""

from __future__ import annotations

from groundwire.evidence.restates_read import restates_read
from groundwire.evidence.told_missing import told_missing
from groundwire.evidence.untouched import untouched_verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.claims import Claim
    from groundwire.evidence.facts import Facts
    from groundwire.model import Verdict


def told_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge by the turn's edits, by what was read as it stands, and by what tools call missing."""
    found = untouched_verdict(claim, facts) or restates_read(claim, facts)
    return found or told_missing(claim, facts)
