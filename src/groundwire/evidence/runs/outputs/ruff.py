"""ruff check: ``Found 3 errors.``, ``All checks passed!``; ruff format: files to be reformatted."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.black import file_summary
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line, is_finding

_PASSED = "All checks passed!"
_ENDS = ("error.", "errors.", "remaining).")
_NOTHING = "warning: No Python files found"
_BROKEN = ("ruff failed", "error: ", "invalid-syntax: ")


def parse(output: str) -> Outcome | None:
    """Read the summaries of checks and formatting; without one, the first finding or error."""
    lines = output.split("\n")
    outcomes = []
    for line in lines:
        if line.startswith(_PASSED):
            outcomes.append(Outcome(PASSED, line=_PASSED))
        elif line.startswith("Found ") and line.rstrip().endswith(_ENDS):
            outcomes.append(_found(line))
        elif not line.endswith(".") and (found := file_summary(line)):  # black's end with a dot
            outcomes.append(found)
    outcome = combine(outcomes)
    if outcome is not None and outcome.status == FAILED:
        return outcome
    nothing = first_line(output, _NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    broken = next((line for line in lines if line.startswith(_BROKEN) or is_finding(line)), "")
    if broken:
        return (outcome or Outcome()).replace(status=FAILED, line=brief(broken))
    return outcome


def _found(line: str) -> Outcome:
    """Read "Found 3 errors (2 fixed, 1 remaining)."; what is fixed is no error any more."""
    head, _, rest = line.removeprefix("Found ").partition("(")
    errors = counts(rest).get("remaining", counts(head).get("error"))
    return Outcome(FAILED if errors else PASSED, errors=errors, line=brief(line))
