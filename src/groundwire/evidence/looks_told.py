"""Claims that only a certain look can carry: which look of the turn was one of that sort.

"A re-scan finds nothing", "it is only called by the CLI", "it is not in the image, so nobody is
affected", "no conflict with main", "everything is still running", "a byte-identical copy".
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.claims import Claim
    from groundwire.evidence.facts import Facts
    from groundwire.model import ToolCall

OTHERS = Verdict(NOT_CHECKABLE, "another agent or tool may have looked")
_LONGEST_COMMAND = 20_000


def looks_told_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge a claim of ``claims.LOOKS_TOLD`` by the looks of its own sort."""
    if claim.sort == "rechecked":
        from groundwire.evidence.rechecked import rechecked_verdict

        return rechecked_verdict(claim, facts)
    if claim.sort == "only_uses":
        from groundwire.evidence.only_uses import only_uses_verdict

        return only_uses_verdict(claim, facts)
    if claim.sort == "unshipped":
        from groundwire.evidence.only_uses import unshipped_verdict

        return unshipped_verdict(claim, facts)
    if claim.sort == "no_conflict":
        from groundwire.evidence.joined import no_conflict_verdict

        return no_conflict_verdict(facts)
    if claim.sort == "all_up":
        from groundwire.evidence.all_up import all_up_verdict

        return all_up_verdict(claim, facts)
    if claim.sort == "read_all":
        from groundwire.evidence.reads import reads_verdict

        return reads_verdict(claim, facts)
    if claim.sort == "pasted":
        from groundwire.evidence.pasted import pasted_verdict

        return pasted_verdict(claim, facts)
    from groundwire.evidence.copies import copy_verdict

    return copy_verdict(claim, facts)


def shell_calls(facts: Facts, after: int = -1) -> Iterator[tuple[int, ToolCall, str]]:
    """Yield position, call and command of the shell calls behind ``after`` that returned."""
    for index in range(after + 1, len(facts.calls)):
        call = facts.calls[index]
        text = call.input.get("command") if call.name in SHELL_TOOLS else None
        if isinstance(text, str) and call.result is not None:
            yield index, call, text[:_LONGEST_COMMAND]


def programs(facts: Facts, text: str) -> set[str]:
    """Return the names of the programs that a shell text of the turn calls, in lower case."""
    return {base_name(one.argv[0]).lower() for one in facts.looks.commands(text) if one.argv}


def others_since(facts: Facts, index: int) -> bool:
    """Tell whether another agent or an unknown tool was called behind ``index``."""
    return any(one > index for one in (*facts.actions.opaque, *facts.actions.reports))
