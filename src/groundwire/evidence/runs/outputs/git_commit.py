"""git commit: ``[main 5445a4e] Subject``, or why there was none."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs import git
from groundwire.evidence.runs.outputs.lines import brief

_NOTHING = (
    "nothing to commit",
    "nothing added to commit",
    "no changes added to commit",
    "You asked to amend the most recent commit, but doing so would make",
    "Aborting commit",
)
#: Errors of a ``git push`` behind a commit that was silent (-q).
_OF_PUSH = (
    "error: failed to push ",
    "error: src refspec ",
    "fatal: The current branch ",
    "fatal: Could not read from remote ",
)
_SHORTEST_HASH = 7


def parse(output: str) -> Outcome | None:
    """Read the last commit made; what a ``git status`` behind it says does not count."""
    made = nothing = ""
    for line in output.split("\n"):
        if is_commit(line):
            made = line
        elif line.startswith(_NOTHING):
            nothing = nothing or line
    if made:
        return Outcome(PASSED, line=brief(made))
    error = git.error_line(output)
    failed = nothing if error.startswith(_OF_PUSH) else error or nothing
    return Outcome(FAILED, line=brief(failed)) if failed else None


def is_commit(line: str) -> bool:
    """Tell whether ``line`` is "[main 5445a4e] Subject" or "[main (root-commit) 5445a4e] ..."."""
    if not line.startswith("["):
        return False
    head, bracket, _ = line[1:].partition("] ")
    words = head.split()
    return (
        bool(bracket)
        and len(words) > 1
        and len(words[-1]) >= _SHORTEST_HASH
        and not words[-1].strip("0123456789abcdef")
    )
