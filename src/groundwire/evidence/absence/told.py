"""Absences and guarantees that the turn's own calls show, without a search or a run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import Verdict

#: Parts of the words without which a sentence tells of nothing left alone.
_ALONE = ("altered", "changed", "edited", "modified", "rewritten", "touched")
#: Words of claims that a thing is not where it belongs.
_MISSING = ("missing", "left out")
_MOST_WORDS = 14


def told_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge by the turn's edits, by what was read as it stands, and by what tools call missing.

    Each is loaded for the few sentences that it can be about.
    """
    found = None
    if any(word in claim.text for word in _ALONE):
        from groundwire.evidence.absence.untouched import untouched_verdict

        found = untouched_verdict(claim, facts)
    if found is None and len(claim.text.split()) <= _MOST_WORDS:
        from groundwire.evidence.absence.restates_read import restates_read

        found = restates_read(claim, facts)
    if found is None and any(word in claim.said for word in _MISSING):
        from groundwire.evidence.absence.missing import told_missing

        found = told_missing(claim, facts)
    return found
