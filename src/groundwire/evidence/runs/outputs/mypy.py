"""mypy: ``Found 2 errors in 1 file (checked 3 source files)`` or ``Success: no issues found``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_PASSED = "Success: no issues found in "
_NOTHING = "There are no .py[i] files in directory"
_BROKEN = ("mypy: error:", "mypy: can't read file")
_FINDINGS = (": error: ", ": fatal error: ")


def parse(output: str) -> Outcome | None:
    """Read the summaries; ``total`` is the number of files checked."""
    lines = output.split("\n")
    outcomes = [
        found for line in lines if line.startswith((_PASSED, "Found ")) if (found := _summary(line))
    ]
    if outcomes:
        return combine(outcomes)
    broken = first_line(output, *_BROKEN) or next(filter(_is_finding, lines), "")
    if broken:
        return Outcome(FAILED, line=brief(broken))
    nothing = first_line(output, _NOTHING)
    return Outcome(UNKNOWN, total=0, line=brief(nothing)) if nothing else None


def _summary(line: str) -> Outcome | None:
    if line.startswith(_PASSED):
        total = counts(line.removeprefix(_PASSED)).get("source")
        return Outcome(PASSED, total=total, line=brief(line))
    errors = counts(line.removeprefix("Found ")).get("error")
    if errors is None or " file" not in line:
        return None
    total = counts(line.rpartition("(checked ")[2]).get("source")
    return Outcome(FAILED, errors=errors, total=total, line=brief(line))


def _is_finding(line: str) -> bool:
    """Tell whether ``line`` is "shop/cart.py:6: error: text"."""
    place = next((line.partition(mark)[0] for mark in _FINDINGS if mark in line), "")
    return bool(place) and " " not in place and place.rpartition(":")[2].isdigit()
