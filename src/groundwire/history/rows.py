"""One row of the history as plain data, and the moment of a value that is one."""

from __future__ import annotations

from groundwire.confidence.composite.formula import names
from groundwire.history.day_files import comparable, timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from groundwire.confidence.assessment import Assessment

NAME_CHARACTERS = 200
PATH_CHARACTERS = 1_000


def history_row(
    assessment: Assessment,
    agent_name: str,
    agent_type: str,
    task_id: str | None,
    now: float,
    project: str = "",
) -> dict[str, Any]:
    """Return the row of one assessment: the fields of R000-21 in their order.

    ``block_reason``, ``project``, a folder, and ``certainty_markers``, the words that raised or
    lowered the certainty, are additions behind them; readers may ignore them.
    """
    values = {factor.name: factor.value for factor in assessment.factors}
    reasons = {factor.name: factor.why for factor in assessment.factors}
    blocked = assessment.met is False
    return {
        "timestamp": timestamp(now),
        "agent_name": agent_name[:NAME_CHARACTERS],
        "agent_type": agent_type[:NAME_CHARACTERS],
        "task_id": None if task_id is None else task_id[:NAME_CHARACTERS],
        "composite_confidence": assessment.value,
        "confidence_level": assessment.level,
        "agent_threshold": assessment.threshold,
        "threshold_met": assessment.met,
        "should_block": blocked,
        "factors": {name: values.get(name) for name in names()},
        "block_reason": assessment.why if blocked else None,
        "project": project[-PATH_CHARACTERS:] or None,
        "certainty_markers": reasons.get("response_certainty_score") or None,
    }


def row_moment(value: Any) -> str:
    """Return when a row was written, in a form that sorts by time; "" for a value that is no row.

    A row says whose it is, when, how much, and whether it was enough. The other fields may be
    missing; a threshold that is there is a number.
    """
    if (
        type(value) is dict
        and type(value.get("agent_name")) is str
        and type(value.get("threshold_met")) is bool
        and _is_share(value.get("composite_confidence"))
        and ((threshold := value.get("agent_threshold")) is None or _is_share(threshold))
    ):
        return comparable(value.get("timestamp"))
    return ""


def _is_share(value: Any) -> bool:
    return type(value) in (float, int) and 0 <= value <= 1
