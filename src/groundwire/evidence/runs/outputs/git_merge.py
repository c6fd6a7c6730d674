"""git merge, rebase, pull, cherry-pick, revert, stash pop: conflicts, or what was joined."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs import git
from groundwire.evidence.runs.outputs.git_commit import is_commit
from groundwire.evidence.runs.outputs.lines import brief, first_line

_CONFLICT = ("CONFLICT (", "Automatic merge failed; ", "Merge with strategy ")
_DONE = (
    "Fast-forward",
    "Merge made by ",
    "Already up to date.",
    "Successfully rebased and updated ",
    "Current branch ",
    "Dropped refs/stash@{",
    "Saved working directory ",
)


def parse(output: str) -> Outcome | None:
    """Read the first conflict or error, else the line that ends the operation."""
    failed = first_line(output, *_CONFLICT) or git.error_line(output)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    done = first_line(output, *_DONE) or next(filter(is_commit, output.split("\n")), "")
    return Outcome(PASSED, line=brief(done)) if done else None
