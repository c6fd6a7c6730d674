"""ctest: ``67% tests passed, 1 tests failed out of 3`` and the lists below it."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, first_line, is_number

_SUMMARY = "% tests passed"
_NOT_RUN = "The following tests did not run:"
_NOTHING = ("No tests were found!!!", "No test configuration file found!")
_FAILED = ("Errors while running CTest", "The following tests FAILED:", "Unable to find executable")
_BAD_ENDS = ("***Failed", "***Exception", "***Timeout", "***Not Run")


def parse(output: str) -> Outcome | None:
    """Read the summary; without it, a test that failed."""
    lines = output.split("\n")
    outcome = combine([found for line in lines if (found := _summary(line))])
    if outcome is not None:
        skipped = _listed(lines, _NOT_RUN)
        if outcome.status == PASSED and skipped == outcome.total:
            outcome = outcome.replace(status=UNKNOWN)
        return outcome.replace(skipped=skipped or None)
    nothing = first_line(output, *_NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    bad = next((line for line in lines if _is_bad(line)), "") or first_line(output, *_FAILED)
    return Outcome(FAILED, line=brief(bad)) if bad else None


def _summary(line: str) -> Outcome | None:
    if _SUMMARY not in line:
        return None
    numbers = [int(word) for word in line.split() if is_number(word)]
    if len(numbers) != 2:
        return None
    failed, total = numbers
    return Outcome(FAILED if failed else PASSED, failed=failed, total=total, line=brief(line))


def _listed(lines: list[str], heading: str) -> int:
    """Count the entries "3 - slow (Skipped)" below ``heading``."""
    if heading not in lines:
        return 0
    below = lines[lines.index(heading) + 1 :]
    ends = [index for index, line in enumerate(below) if " - " not in line]
    return ends[0] if ends else len(below)


def _is_bad(line: str) -> bool:
    return " Test " in line and any(end in line for end in _BAD_ENDS)
