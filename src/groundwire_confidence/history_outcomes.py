"""What became known of a run after it: a vote, a check that failed later, or a revert.

An outcome is a line of the day files beside the rows. It is about the runs of one agent, and of
one task where it names one, that are not newer than it.
"""

from __future__ import annotations

from groundwire_confidence.assessment import reaches
from groundwire_confidence.composite.formula import WEIGHTS, factor_value
from groundwire_confidence.history import comparable, timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

RIGHT, WRONG, OPEN = OUTCOMES = ("right", "wrong", "open")
VOTE = "vote"
_LONGEST_WHY = 300


def outcome_line(
    agent_name: str, task_id: str | None, outcome: str, source: str, why: str, now: float
) -> dict[str, Any]:
    """Return the line of one outcome; ``open`` takes back what a vote said before.

    ``source`` is what showed it: vote, check or revert. Without ``task_id`` it is about the last
    run of the agent.
    """
    return {
        "timestamp": timestamp(now),
        "agent_name": agent_name,
        "task_id": task_id,
        "outcome": outcome,
        "source": source,
        "why": why[:_LONGEST_WHY],
    }


def is_outcome(value: Any) -> bool:
    """Tell whether a value of the day files is an outcome."""
    return (
        type(value) is dict
        and type(value.get("agent_name")) is str
        and value.get("outcome") in OUTCOMES
        and bool(comparable(value.get("timestamp")))
    )


def with_outcomes(
    rows: Sequence[dict[str, Any]], outcomes: Sequence[dict[str, Any]]
) -> tuple[dict[str, Any], ...]:
    """Return the rows, those of which something is known with it under ``outcome``.

    Later outcomes replace earlier ones; only a vote replaces a vote.
    """
    known: dict[int, dict[str, Any]] = {}
    for one in outcomes:
        moment, name, task = comparable(one["timestamp"]), one["agent_name"], one.get("task_id")
        meant = [
            at
            for at, row in enumerate(rows)
            if row["agent_name"] == name and comparable(row["timestamp"]) <= moment
        ]
        meant = [at for at in meant if rows[at].get("task_id") == task] if task else meant[-1:]
        for at in meant:
            if one.get("source") == VOTE or known.get(at, {}).get("source") != VOTE:
                known[at] = one
    return tuple(
        {**row, "outcome": known[at]} if known.get(at, {}).get("outcome", OPEN) != OPEN else row
        for at, row in enumerate(rows)
    )


def succeeded(row: dict[str, Any]) -> bool:
    """Tell whether a run was a success: by its outcome, else by its threshold.

    As long as nothing is known, its history is left aside: a run that failed by that alone would
    make the next one fail, too.
    """
    outcome = row.get("outcome")
    if isinstance(outcome, dict):
        return bool(outcome["outcome"] == RIGHT)
    threshold = row.get("agent_threshold")
    given = ((weight, factor_value(row, name)) for name, weight in WEIGHTS[:-1])
    known = [(weight, weight * value) for weight, value in given if value is not None]
    if row["threshold_met"] or threshold is None or not known:
        return bool(row["threshold_met"])
    whole = sum(weight for weight, _ in known)
    return reaches(sum(part for _, part in known) / whole, threshold)
