"""What the rows of one agent say together (requirement R000-23)."""

from __future__ import annotations

from groundwire.history.day_files import comparable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def agent_statistics(rows: Sequence[dict[str, Any]], default_threshold: float) -> dict[str, Any]:
    """Return executions, success rate, average confidence, blocked runs and the latest threshold.

    Rates are from 0 to 1, and 0.0 without rows; then the threshold is the default one.
    """
    total = len(rows)
    met = sum(row["threshold_met"] for row in rows)
    confidences = [row["composite_confidence"] for row in rows]
    latest = sorted(rows, key=stamp)[-1].get("agent_threshold") if rows else None
    return {
        "total_executions": total,
        "success_rate": met / total if total else 0.0,
        "average_confidence": sum(confidences) / total if total else 0.0,
        "blocked_count": sum(is_blocked(row) for row in rows),
        "threshold": default_threshold if latest is None else latest,
    }


def is_blocked(row: dict[str, Any]) -> bool:
    """Tell whether a row was blocked; rows of other writers may say so only by their threshold."""
    blocked = row.get("should_block")
    return blocked if isinstance(blocked, bool) else not row["threshold_met"]


def stamp(row: dict[str, Any]) -> str:
    """Return what rows are sorted by; those of one second stay in the order of their file."""
    return comparable(row["timestamp"])
