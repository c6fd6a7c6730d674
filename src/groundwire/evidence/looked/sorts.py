"""Claims that only a certain look can carry: which look of the turn was one of that sort.

"A re-scan finds nothing", "it is only called by the CLI", "it is not in the image, so nobody is
affected", "no conflict with main", "everything is still running", "a byte-identical copy".
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import Verdict


def looks_told_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge a claim of ``claims.LOOKS_TOLD`` by the looks of its own sort."""
    if claim.sort == "rechecked":
        from groundwire.evidence.looked.rechecked import rechecked_verdict

        return rechecked_verdict(claim, facts)
    if claim.sort == "only_uses":
        from groundwire.evidence.looked.only_uses import only_uses_verdict

        return only_uses_verdict(claim, facts)
    if claim.sort == "unshipped":
        from groundwire.evidence.looked.only_uses import unshipped_verdict

        return unshipped_verdict(claim, facts)
    if claim.sort == "no_conflict":
        from groundwire.evidence.looked.joined import no_conflict_verdict

        return no_conflict_verdict(facts)
    if claim.sort == "all_up":
        from groundwire.evidence.looked.all_up import all_up_verdict

        return all_up_verdict(claim, facts)
    if claim.sort == "read_all":
        from groundwire.evidence.looked.reads import reads_verdict

        return reads_verdict(claim, facts)
    if claim.sort == "pasted":
        from groundwire.evidence.looked.pasted import pasted_verdict

        return pasted_verdict(claim, facts)
    from groundwire.evidence.looked.copies import copy_verdict

    return copy_verdict(claim, facts)
