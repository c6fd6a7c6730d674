"""pip install and uv: ``Successfully installed ...``, ``Installed 3 packages in 9ms``, errors."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_PASSED = ("Successfully installed ", "Requirement already satisfied: ")
_UV_VERBS = ("Installed ", "Uninstalled ", "Audited ", "Checked ", "Resolved ")
#: Sure failures, whatever was installed before.
_FAILED = (
    "ERROR: Could not ",
    "ERROR: No matching distribution",
    "ERROR: Cannot install ",
    "ERROR: Failed ",
    "ERROR: ResolutionImpossible",
    "error: externally-managed-environment",
    "error: subprocess-exited-with-error",
    "error: metadata-generation-failed",
    "\u00d7 ",
)
#: Failures only when nothing was installed: a program that runs afterwards may print such lines,
#: and pip warns like this of packages that it installed though they do not fit together.
_ERRORS = ("ERROR: ", "error: ")


def parse(output: str) -> Outcome | None:
    """Read the first sure failure, else the last success, else any error."""
    failed = first_line(output, *_FAILED)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    done = ""
    for line in output.split("\n"):
        is_uv = line.startswith(_UV_VERBS) and "package" in counts(line.partition(" ")[2])
        if is_uv or line.startswith(_PASSED):
            done = line
    if done:
        return Outcome(PASSED, line=brief(done))
    error = first_line(output, *_ERRORS)
    return Outcome(FAILED, line=brief(error)) if error else None
