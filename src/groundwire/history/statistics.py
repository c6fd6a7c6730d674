"""What the rows of one agent say together: its history score, and its figures (R000-23)."""

from __future__ import annotations

from groundwire.confidence.composite.factors import agent_history_score
from groundwire.history.day_files import comparable
from groundwire.history.read import read_rows
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_HOUR = 3_600


class HistoryScore(Record):
    """What an agent's history says, 0-1, with the numbers behind it."""

    score: float
    met: int = 0
    total: int = 0
    problems: tuple[str, ...] = ()
    counts: bool = False  # there are as many runs as it takes

    def why(self, hours: float) -> str:
        """Return where the score comes from, in a few words."""
        if not self.total:
            return f"no runs of this agent in the last {hours:g} hours"
        return f"{self.met} of {self.total} runs met their threshold in the last {hours:g} hours"


def history_score(
    folder: str | None, agent_name: str, now: float, hours: float, least: int = 0
) -> HistoryScore:
    """Return the share of the agent's runs in the last ``hours`` that met their threshold.

    0.5 without runs, or with fewer than ``least``.
    """
    history = read_rows(folder, now - hours * _HOUR, now, agent_name)
    met, total = sum(row["threshold_met"] for row in history.rows), len(history.rows)
    score = agent_history_score(met, total, least)
    return HistoryScore(score, met, total, history.problems, total >= max(1, least))


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
