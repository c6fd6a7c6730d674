"""RSpec: ``3 examples, 1 failure, 1 pending``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_FAILED = ("Failed examples:", "An error occurred while loading ")


def parse(output: str) -> Outcome | None:
    """Read the summaries; without one, the list of failed examples or files that did not load."""
    outcomes = [found for line in output.split("\n") if (found := _summary(line))]
    if outcomes:
        return combine(outcomes)
    failed = first_line(output, *_FAILED)
    return Outcome(FAILED, line=brief(failed)) if failed else None


def _summary(line: str) -> Outcome | None:
    """Read "0 examples, 0 failures, 1 error occurred outside of examples"."""
    if " example" not in line or " failure" not in line or not line[:1].isdigit():
        return None
    number = counts(line)
    total, failed, pending = (number.get(key) for key in ("example", "failure", "pending"))
    errors = number.get("error")
    ran = (total or 0) - (pending or 0)
    status = FAILED if failed or errors else PASSED if ran else UNKNOWN
    return Outcome(
        status, failed=failed, skipped=pending, errors=errors, total=total, line=brief(line)
    )
