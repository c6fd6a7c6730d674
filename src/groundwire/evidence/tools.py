"""The tools of the client by what they do; every other one may have done anything."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.model import ToolCall

EDIT_TOOLS = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
READ_TOOLS = frozenset(("Read", "NotebookRead", "LS"))
SEARCH_TOOLS = frozenset(("Grep", "Glob"))
#: Tools whose ``command`` is run by a shell.
SHELL_TOOLS = frozenset(("Bash", "PowerShell"))
#: What they return is what another agent says.
REPORT_TOOLS = frozenset(("Task", "Agent", "TaskOutput", "Workflow"))
#: Tools that neither look at the project nor change it.
PLAIN_TOOLS = frozenset(
    "TodoWrite TaskCreate TaskUpdate TaskList TaskGet ExitPlanMode AskUserQuestion Skill "
    "ToolSearch BashOutput KillShell KillBash".split()
)
KNOWN_TOOLS = EDIT_TOOLS | READ_TOOLS | SEARCH_TOOLS | SHELL_TOOLS | PLAIN_TOOLS


def argument(call: ToolCall, *names: str) -> str:
    """Return the first of the named inputs of a call that is a text; "" when there is none."""
    values = map(call.input.get, names)
    return next((value for value in values if isinstance(value, str)), "")
