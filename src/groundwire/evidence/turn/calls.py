"""Tool calls of a turn as claims that ask for looks need them: shell calls, and those of others."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

OTHERS = Verdict(NOT_CHECKABLE, "another agent or tool may have looked")
_LONGEST_COMMAND = 20_000


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
