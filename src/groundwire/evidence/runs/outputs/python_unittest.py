"""unittest and the Django test runner: ``Ran 3 tests in 0.01s``, then ``FAILED (errors=1)``."""

from __future__ import annotations

from itertools import pairwise

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts

_NOTHING = "NO TESTS RAN"


def parse(output: str) -> Outcome | None:
    """Read each "Ran N tests" with its verdict, or a verdict alone; else a failed test."""
    lines = output.rstrip().split("\n")
    outcomes = []
    total: int | None = None
    for index, line in enumerate(lines):
        if line.startswith("Ran ") and " in " in line:
            total = counts(line[4:]).get("test")
        elif _is_verdict(line, total is not None or index == len(lines) - 1):
            outcomes.append(_outcome(line, total))
            total = None
    return combine(outcomes) or _named_failure(lines)


def _is_verdict(line: str, expected: bool) -> bool:
    """Tell whether ``line`` is one; a bare OK only where one is expected."""
    if line.startswith(("FAILED (", "OK (")):
        return "=" in line and line.endswith(")")
    return expected and line.partition(" (")[0] in ("OK", _NOTHING, "FAILED")


def _outcome(line: str, total: int | None) -> Outcome:
    number = _numbers(line.partition("(")[2].rstrip(")"))
    status = FAILED if line.startswith("FAILED") else PASSED
    if status == PASSED and (total == 0 or line.startswith(_NOTHING)):
        status = UNKNOWN
    return Outcome(
        status,
        failed=number.get("failures"),
        skipped=number.get("skipped"),
        errors=number.get("errors"),
        total=total,
        line=brief(line),
    )


def _numbers(text: str) -> dict[str, int]:
    """Read "failures=1, expected failures=2"."""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    return {name: int(value) for name, _, value in pairs if value.isdigit()}


def _named_failure(lines: list[str]) -> Outcome | None:
    """The report of a failed test, where the end of the output is missing."""
    for before, line in pairwise(lines):
        if before.startswith("=====") and line.startswith(("FAIL: ", "ERROR: ")):
            return Outcome(FAILED, line=brief(line))
    return None
