"""mocha: ``3 passing (10ms)``, ``1 pending``, ``2 failing``; its TAP reporter; cypress."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import node_test
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_NOTHING = "Error: No test files found"
_NOT_STARTED = ("Exception during run:", "Error: Cannot find module")


def parse(output: str) -> Outcome | None:
    """Read each summary; the lines below "N passing" belong to it until a blank one."""
    lines = output.split("\n")
    outcomes = [
        _outcome(lines[index : index + 3])
        for index, line in enumerate(lines)
        if " passing (" in line and "passing" in counts(line)
    ]
    return combine(outcomes) or _without_summary(output)


def _outcome(lines: list[str]) -> Outcome:
    number = counts(lines[0])
    line = lines[0]
    for below in lines[1:]:
        found = counts(below)
        if not {"pending", "failing"}.issuperset(found or ("",)):
            break
        number.update(found)
        line = below if "failing" in found else line
    passed, failed = number["passing"], number.get("failing")
    return Outcome(
        FAILED if failed else PASSED if passed else UNKNOWN,
        passed=passed,
        failed=failed,
        skipped=number.get("pending"),
        total=None if passed or failed else 0,
        line=brief(line),
    )


def _without_summary(output: str) -> Outcome | None:
    nothing = first_line(output, _NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    broken = first_line(output, *_NOT_STARTED)
    return Outcome(FAILED, line=brief(broken)) if broken else node_test.parse(output)
