"""git commands in general, which are silent or chatty when all is well: ``fatal:``, ``error:``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, Outcome
from groundwire.evidence.runs.outputs.lines import brief

_FAILED = ("fatal: ", "error: ")
_UNKNOWN_COMMAND = " is not a git command. See 'git --help'."


def parse(output: str) -> Outcome | None:
    """Read the first error."""
    line = error_line(output)
    return Outcome(FAILED, line=brief(line)) if line else None


def error_line(output: str) -> str:
    """Return the first line that git begins with "fatal:" or "error:", or ""."""
    for line in output.split("\n"):
        if line.startswith(_FAILED) or line.endswith(_UNKNOWN_COMMAND):
            return line
    return ""
