"""Claims that something is not there, or nothing else: a search, or a look that is whole."""

from __future__ import annotations

from groundwire.evidence.broken import broken_search
from groundwire.evidence.cut_looks import only_cut
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.claims import Claim
    from groundwire.evidence.facts import Facts


def absence_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Whoever read a file saw what is not in it; that nothing else exists takes a search."""
    if broken := broken_search(claim, facts):
        return broken
    searches = facts.actions.searches
    if not searches:
        if claim.said.startswith("none of") and (cut := only_cut(facts)):
            return Verdict(UNSUPPORTED, "what was read of them was cut to a part", cut.id)
        if claim.sort != "no_other" and facts.actions.looks:
            return Verdict(QUALIFIED, "it was read, but not searched for")
        if facts.actions.opaque or facts.actions.reports:
            return Verdict(NOT_CHECKABLE, "another agent or tool may have searched for it")
        return Verdict(UNSUPPORTED, "no search in this turn")
    empty = [search for search in searches if search.hits == 0]
    last = (empty or searches)[-1]
    why = f"a search for {last.pattern!r:.60} gave {last.hits} lines"
    return Verdict(SUPPORTED if empty else QUALIFIED, why, last.call_id)
