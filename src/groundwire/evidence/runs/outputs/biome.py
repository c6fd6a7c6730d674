"""biome: ``Checked 3 files in 14ms.``, ``Found 2 errors.`` and why it did not run."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_FAILED_STARTS = (
    "\u00d7 Some errors were emitted while",
    "\u2716 Some errors were emitted while",
    "\u00d7 Biome exited because",
)
_NOTHING = "\u00d7 No files were processed"


def parse(output: str) -> Outcome | None:
    """Read the summary; ``total`` is the number of files."""
    found = checked = ""
    for line in output.split("\n"):
        if line.startswith("Found ") and " error" in line:
            found = line
        elif line.startswith(("Checked ", "Formatted ")) and " in " in line:
            checked = line
    number = counts(checked.partition(" ")[2]).get("file")
    errors = counts(found.removeprefix("Found ")).get("error")
    nothing = first_line(output, _NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    failed = found if errors else first_line(output, *_FAILED_STARTS)
    if failed:
        return Outcome(FAILED, errors=errors, total=number, line=brief(failed))
    if number is None:
        return None
    return Outcome(PASSED if number else UNKNOWN, total=number, line=brief(checked))
