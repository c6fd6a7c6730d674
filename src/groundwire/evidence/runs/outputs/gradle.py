"""Gradle: ``3 tests completed, 1 failed, 1 skipped``, ``BUILD SUCCESSFUL in 2s``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_COMPLETED = (" tests completed, ", " test completed, ")
_WRONG = "* What went wrong:\n"
_SUCCESS = "BUILD SUCCESSFUL"
_FAILED = ("BUILD FAILED", "FAILURE: Build ")
_NO_TESTS = ":test NO-SOURCE"


def parse(output: str) -> Outcome | None:
    """Read the counts of tests (printed when one failed), why the build failed, or its end.

    A build without tests is passed, with ``total`` 0.
    """
    lines = output.split("\n")
    tests = combine([_tests(line) for line in lines if any(text in line for text in _COMPLETED)])
    if tests is not None:
        return tests
    failed = first_line(output, *_FAILED)
    if failed:
        return Outcome(FAILED, line=brief(_reason(output) or failed))
    success = first_line(output, _SUCCESS)
    if not success:
        return None
    no_tests = any(line.endswith(_NO_TESTS) for line in lines)
    return Outcome(PASSED, total=0 if no_tests else None, line=brief(success))


def _tests(line: str) -> Outcome:
    number = counts(line)
    return Outcome(
        FAILED if number.get("failed") else PASSED,
        failed=number.get("failed"),
        skipped=number.get("skipped"),
        total=number.get("test"),
        line=brief(line),
    )


def _reason(output: str) -> str:
    """Return the most telling line below "What went wrong": the last of its first two."""
    told = output.partition(_WRONG)[2].split("\n", 2)[:2]
    return next((line for line in reversed(told) if line.strip()), "")
