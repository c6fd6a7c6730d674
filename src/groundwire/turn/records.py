"""What the readers of a turn share: tools by what they do, runs, outcomes, pointers to calls."""

from __future__ import annotations

from groundwire.base.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.base.model import ToolCall

#: What outputs say is told in the same words here.
__all__ = ("FAILED", "PASSED", "UNKNOWN", "Outcome")

TEST = "test"
BUILD = "build"
LINT = "lint"
FORMAT = "format"
TYPES = "types"
INSTALL = "install"
GIT = "git"
LOOK = "look"
OTHER = "other"

#: Tools of the client by what they do; every other one may have done anything.
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


class Run(Record):
    """One command in the order of the turn, with its outcome.

    ``index`` is the position of its tool call. ``signature`` names what is the same command in
    another spelling: its last outcome counts. ``narrow`` says why it covers a part only (one file,
    ``-k``), ``distrust`` why the exit status says nothing; both are empty otherwise. ``changes``:
    the command changes a state and shows nothing of it (``kubectl apply``).
    """

    call_id: str
    index: int
    command: str
    kind: str
    tool: str
    signature: str
    outcome: Outcome = Outcome()
    narrow: str = ""
    distrust: str = ""
    background: bool = False
    changes: bool = False

    def __hash__(self) -> int:
        return hash((self.index, self.signature))  # which hardly two runs share


class Shown(Record):
    """The tool call that decides something, its command or tool, and the line that says it."""

    call_id: str
    command: str = ""
    line: str = ""


class Fact(Record):
    """What a feature found: its value from 0 to 1, the call that shows it, and a clause on it."""

    value: float
    shown: Shown | None = None
    says: str = ""


def argument(call: ToolCall, *names: str) -> str:
    """Return the first of the named inputs of a call that is a text; "" when there is none."""
    values = map(call.input.get, names)
    return next((value for value in values if isinstance(value, str)), "")
