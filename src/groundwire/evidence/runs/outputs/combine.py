"""One outcome for several results in the same output: workspaces, sessions, a loop of runs."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: A tool leaves out the counts that are zero, but a total only when it prints none at all.
_COUNTS = ("passed", "failed", "skipped", "errors")


def combine(outcomes: Sequence[Outcome]) -> Outcome | None:
    """Return the worst status with its line, and the sum of each count; None for no outcomes."""
    if len(outcomes) < 2:
        return outcomes[0] if outcomes else None
    sums = {}
    for name in _COUNTS:
        printed = [value for one in outcomes if (value := getattr(one, name)) is not None]
        sums[name] = sum(printed) if printed else None
    totals = [one.total for one in outcomes if one.total is not None]
    sums["total"] = sum(totals) if len(totals) == len(outcomes) else None
    return _worst(outcomes).replace(**sums)


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the first that failed, else the last that passed, else the last."""
    for status, order in ((FAILED, outcomes), (PASSED, outcomes[::-1])):
        for outcome in order:
            if outcome.status == status:
                return outcome
    return outcomes[-1]
