"""flake8: one line for each finding, the number of them with --count; silent when all is well."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, first_line, is_finding, is_number

_BROKEN = ("flake8: error:", "There was a critical error during execution of Flake8")


def parse(output: str) -> Outcome | None:
    """Read the findings, the count in the last line, or why it did not run."""
    lines = output.rstrip().split("\n")
    last = lines[-1].strip()
    number = int(last) if is_number(last) else None
    finding = next((line for line in lines if is_finding(line)), "")
    if finding or number:
        return Outcome(FAILED, errors=number, line=brief(finding or last))
    if number == 0:
        return Outcome(PASSED, errors=0, line=last)
    broken = first_line(output, *_BROKEN)
    return Outcome(FAILED, line=brief(broken)) if broken else None
