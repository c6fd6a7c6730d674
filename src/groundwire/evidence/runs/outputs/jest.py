"""jest: ``Test Suites: 1 failed, 2 total`` and ``Tests: 1 failed, 4 passed, 5 total``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import node
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_SUITES = "Test Suites:"
_TESTS = "Tests:"
_NOTHING = "No tests found"
_NOT_STARTED = ("\u25cf Validation Error", "\u25cf Unrecognized CLI Parameter")
_FILE_FAILED = "FAIL "


def parse(output: str) -> Outcome | None:
    """Read each summary; without one, a file that failed or an error of the configuration."""
    outcomes = []
    suites = ""
    for line in output.split("\n"):
        if line.startswith(_SUITES):
            suites = line
        elif line.startswith(_TESTS) and " total" in line:
            outcomes.append(_outcome(line, suites))
            suites = ""
        elif line.startswith("Jest: ") and "threshold" in line:  # of the coverage
            outcomes.append(Outcome(FAILED, line=brief(line)))
    return combine(outcomes) or _without_summary(output)


def _outcome(tests: str, suites: str) -> Outcome:
    number = counts(tests.removeprefix(_TESTS))
    broken = counts(suites.removeprefix(_SUITES)).get("failed")
    failed = number.get("failed")
    ran = number.get("passed")
    return Outcome(
        FAILED if failed or broken else PASSED if ran else UNKNOWN,
        passed=number.get("passed"),
        failed=failed,
        skipped=number.get("skipped"),
        errors=broken if not failed else None,
        total=number.get("total"),
        line=brief(suites if broken and not failed else tests),
    )


def _without_summary(output: str) -> Outcome | None:
    failed = first_line(output, _FILE_FAILED, *_NOT_STARTED)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    nothing = first_line(output, _NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    return node.uncaught(output) if not first_line(output, "PASS ") else None
