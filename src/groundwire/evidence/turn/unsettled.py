"""Which earlier texts of a turn no tool call behind them could have settled."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.model import FORMAT, GIT, INSTALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import Turn

#: Tools that change or note something and show nothing new.
_SILENT = frozenset(
    "Edit MultiEdit Write NotebookEdit TodoWrite TaskCreate TaskUpdate TaskList TaskGet "
    "ExitPlanMode Skill ToolSearch KillShell KillBash".split()
)
_SILENT_RUNS = frozenset((FORMAT, GIT, INSTALL))
#: git commands that show what is in files or in their history.
_SHOWING = ("git diff", "git show", "git log", "git blame", "git bisect", "git grep", "git status")
#: Characters of the last such texts that are looked at.
_MOST = 20_000


def unsettled(turn: Turn, facts: Facts | None) -> tuple[str, ...]:
    """Return the texts of ``turn`` before its message that nothing settled, in order.

    Linear in the calls behind them; at most the last 20,000 characters, whole texts.
    """
    settled = _last_settling(turn, facts)
    found: list[str] = []
    size = 0
    for calls, text in reversed(turn.said):
        size += len(text)
        if calls <= settled or size > _MOST:
            break
        found.append(text)
    return tuple(reversed(found))


def _last_settling(turn: Turn, facts: Facts | None) -> int:
    """Return the position of the last call that could show whether a guess holds; -1 for none."""
    quiet = {run.index for run in facts.runs if _is_quiet(run.kind, run.tool)} if facts else set()
    loud = {run.index for run in facts.runs if not _is_quiet(run.kind, run.tool)} if facts else ()
    for index in range(len(turn.calls) - 1, -1, -1):
        call = turn.calls[index]
        if call.name in SHELL_TOOLS and index in quiet and index not in loud:
            continue
        if call.name not in _SILENT:
            return index
    return -1


def _is_quiet(kind: str, tool: str) -> bool:
    return kind in _SILENT_RUNS and not tool.startswith(_SHOWING)
