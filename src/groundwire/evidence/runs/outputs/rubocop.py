"""RuboCop: ``5 files inspected, 1 offense detected, 1 offense corrected``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, first_line, is_number

_SUMMARY = (" file inspected, ", " files inspected, ")
_BROKEN = ("Error: ", "An error occurred while ")
_LEVELS = ("C", "W", "E", "F", "R", "I")


def parse(output: str) -> Outcome | None:
    """Read the summaries (corrected offenses are none any more); ``total`` counts the files."""
    lines = output.split("\n")
    outcomes = [found for line in lines if (found := _summary(line))]
    if outcomes:
        return combine(outcomes)
    broken = first_line(output, *_BROKEN) or next((one for one in lines if _is_offense(one)), "")
    return Outcome(FAILED, line=brief(broken)) if broken else None


def _summary(line: str) -> Outcome | None:
    mark = next((text for text in _SUMMARY if text in line), "")
    files, _, rest = line.partition(mark) if mark else (line, "", "")
    if not is_number(files):
        return None
    left = 0
    for part in rest.split(", "):
        words = part.split()
        if words and is_number(words[0]) and words[-1] in ("detected", "corrected"):
            left += int(words[0]) * (1 if words[-1] == "detected" else -1)
    total = int(files)
    status = FAILED if left else PASSED if total else UNKNOWN
    return Outcome(status, errors=left, total=total, line=brief(line))


def _is_offense(line: str) -> bool:
    """Tell whether ``line`` is "test/a.rb:1:1: C: [Correctable] Style/...: text"."""
    parts = line.split(":", 4)
    return (
        len(parts) == 5
        and is_number(parts[1])
        and is_number(parts[2])
        and parts[3].strip() in _LEVELS
    )
