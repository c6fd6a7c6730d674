"""xcodebuild: ``** TEST FAILED **``, ``** BUILD SUCCEEDED **`` and the results of XCTest."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import xctest
from groundwire.evidence.runs.outputs.gcc import is_error
from groundwire.evidence.runs.outputs.lines import brief

_BAD_ENDS = (" FAILED **", " INTERRUPTED **")
_GOOD_END = " SUCCEEDED **"
_ERROR = "xcodebuild: error: "


def parse(output: str) -> Outcome | None:
    """Read the verdict in stars, with the counts of the tests or the first error of the build."""
    outcome = xctest.results(output)
    if outcome is not None and outcome.status == FAILED:
        return outcome
    bad = good = error = ""
    for line in output.split("\n"):
        if line.startswith("** ") and line.endswith(_BAD_ENDS):
            bad = line
        elif line.startswith("** ") and line.endswith(_GOOD_END):
            good = line
        elif line.startswith(_ERROR) or is_error(line):
            error = error or line
    if bad or error.startswith(_ERROR):
        return (outcome or Outcome()).replace(status=FAILED, line=brief(error or bad))
    if outcome is not None:
        return outcome
    return Outcome(PASSED if good else UNKNOWN, line=brief(good)) if good else None
