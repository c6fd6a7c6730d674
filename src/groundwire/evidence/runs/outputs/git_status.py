"""git status: ``passed`` is a clean working tree; with changes it is ``unknown`` and names them.

Silence (the short form of a clean tree) says nothing here: the exit status does.
"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import git
from groundwire.evidence.runs.outputs.lines import brief, first_line

_CLEAN = "nothing to commit, working tree clean"
#: The gravest first.
_CHANGES = (
    "Unmerged paths:",
    "Changes to be committed:",
    "Changes not staged for commit:",
    "Untracked files:",
)
_BRANCH = "## "
_SHORT_MARKS = frozenset(" MADRCTU?!")


def parse(output: str) -> Outcome | None:
    """Read the last line of a clean tree, or the heading of what is changed."""
    changes = next((found for text in _CHANGES if (found := first_line(output, text))), "")
    if changes:
        return Outcome(UNKNOWN, line=brief(changes))
    if first_line(output, _CLEAN):
        return Outcome(PASSED, line=_CLEAN)
    failed = git.error_line(output)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    short = next((line for line in output.split("\n") if _is_short(line)), "")
    if short:
        return Outcome(UNKNOWN, line=brief(short))
    branch = first_line(output, _BRANCH)  # "## main...origin/main" with nothing below
    return Outcome(PASSED, line=brief(branch)) if "..." in branch else None


def _is_short(line: str) -> bool:
    """Tell whether ``line`` is " M one.txt" or "?? two.txt"."""
    marks = line[:2]
    return len(line) > 3 and line[2] == " " and _SHORT_MARKS.issuperset(marks) and marks != "  "
