"""What the rows of one agent say together: its history score, and its figures (R000-23)."""

from __future__ import annotations

import os

from groundwire.confidence.composite.factors import agent_history_score
from groundwire.history.day_files import comparable, files_between, moments
from groundwire.history.read import Rows, read_rows
from groundwire.history.rows import NAME_CHARACTERS
from groundwire.record import Record
from groundwire.state.log_files import open_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_HOUR = 3_600
#: Bytes of day files, or of new rows of one, that are read without an index.
FEW = 1 << 18


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
    history = agent_rows(folder, agent_name, now - hours * _HOUR, now)
    met, total = sum(row["threshold_met"] for row in history.rows), len(history.rows)
    score = agent_history_score(met, total, least)
    return HistoryScore(score, met, total, history.problems, total >= max(1, least))


def agent_rows(folder: str | None, agent_name: str, since: float, until: float) -> Rows:
    """Return what ``agent_statistics`` asks of the rows of exactly this agent.

    Small day files are read, large ones looked up in an index, as long as one can be kept.
    """
    try:
        folder_fd = open_folder(folder or "")
    except (OSError, ValueError):
        return read_rows(folder, since, until, agent_name)
    try:
        names = files_between(os.listdir(folder_fd), since, until)
        if sum(os.stat(name, dir_fd=folder_fd).st_size for name in names) >= FEW:
            # sqlite3 takes as long to import as a thousand rows to read
            from groundwire.history.index import indexed_runs

            agent = agent_name[:NAME_CHARACTERS]
            window = moments(since, until)
            runs = indexed_runs(folder or "", folder_fd, names, agent, *window)
            if runs is not None:
                return Rows(tuple(runs))
    except (OSError, ImportError):  # a file that is gone or no file; a Python without sqlite3
        pass
    finally:
        os.close(folder_fd)
    return read_rows(folder, since, until, agent_name)


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
