"""pyright and basedpyright: ``2 errors, 1 warning, 0 informations``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_NOTHING = "No source files found"
_BROKEN = ("Unexpected option ", "File or directory ")


def parse(output: str) -> Outcome | None:
    """Read the summaries, or why it did not run."""
    nothing = first_line(output, _NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    broken = first_line(output, *_BROKEN)
    if broken:
        return Outcome(FAILED, line=brief(broken))
    return combine([found for line in output.split("\n") if (found := _summary(line))])


def _summary(line: str) -> Outcome | None:
    if not line[:1].isdigit():
        return None
    number = counts(line)
    if "error" not in number or "warning" not in number:
        return None
    status = FAILED if number["error"] else PASSED
    return Outcome(status, errors=number["error"], line=brief(line))
