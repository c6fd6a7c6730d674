"""Reading the history: rows, windows, and what the rows of one agent say together."""

from __future__ import annotations

import os

from groundwire.base.json_codec import dumps, loads
from groundwire.base.record import Record
from groundwire.hook.log import open_folder, open_regular
from groundwire_confidence.composite.factors import agent_history_score
from groundwire_confidence.composite.formula import names
from groundwire_confidence.history import comparable, files_between, moments, timestamp
from groundwire_confidence.history_outcomes import is_outcome, succeeded, with_outcomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from groundwire_confidence.assessment import Assessment


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


_MAX_LINE = 1 << 20  # bytes; our rows stay far below it


class Rows(Record):
    """The rows of a window, oldest first by file and place, with what became known of them.

    ``skipped`` counts lines that are torn or no row; ``problems`` names files that cannot be read.
    """

    rows: tuple[dict[str, Any], ...] = ()
    skipped: int = 0
    problems: tuple[str, ...] = ()


def read_rows(folder: str | None, since: float, until: float, agent_name: str = "") -> Rows:
    """Return the rows from ``since`` to ``until``, both included; of one agent if it is named.

    The name must be exactly the same; lines that do not hold it are neither decoded nor counted as
    skipped. Reads only the day files that the window touches. No folder and no file mean no rows;
    never raises for what the file system does.
    """
    rows: list[dict[str, Any]] = []
    outcomes: list[dict[str, Any]] = []
    problems: list[str] = []
    skipped = 0
    wanted = agent_name[:NAME_CHARACTERS]
    first, last = moments(since, until)
    # as our rows write it, and as another writer may; whole, so that the rows of an agent "a-10"
    # cost nothing to one "a-1"
    written, plain = dumps(wanted).encode(), f'"{wanted}"'.encode("utf-8", "replace")
    if not wanted:
        written = plain = b""
    for line in _lines(folder, since, until, problems):
        if written not in line and plain not in line:
            continue
        try:
            row: Any = loads(line) if line.endswith(b"\n") else None
        except ValueError:
            row = None
        moment = row_moment(row)
        if is_outcome(row):
            outcomes.append(row)
        elif not moment:
            skipped += 1
        elif wanted in ("", row["agent_name"]) and first <= moment <= last:
            rows.append(row)
    return Rows(with_outcomes(rows, outcomes), skipped, tuple(problems))


def _lines(folder: str | None, since: float, until: float, problems: list[str]) -> Iterator[bytes]:
    """Yield the lines of a window's day files, oldest first; of a too long one its beginning."""
    if not folder:
        return
    try:
        folder_fd = open_folder(folder)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a folder name that no system takes
        problems.append(f"{folder}: {_reason(error)}")
        return
    try:
        for name in files_between(os.listdir(folder_fd), since, until):
            try:
                with open(open_regular(folder_fd, name, os.O_RDONLY), "rb") as file:
                    inside = False  # of a line that is longer than any of ours
                    while line := file.readline(_MAX_LINE):
                        if not inside:
                            yield line
                        inside = not line.endswith(b"\n")
            except FileNotFoundError:  # deleted meanwhile
                continue
            except OSError as error:
                problems.append(f"{folder}/{name}: {_reason(error)}")
    finally:
        os.close(folder_fd)


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


_HOUR = 3_600


class HistoryScore(Record):
    """What an agent's history says, 0-1, with the numbers behind it."""

    score: float
    met: int = 0
    total: int = 0
    problems: tuple[str, ...] = ()

    def why(self, hours: float) -> str:
        """Return where the score comes from, in a few words."""
        if not self.total:
            return f"no runs of this agent in the last {hours:g} hours"
        return f"{self.met} of {self.total} runs succeeded in the last {hours:g} hours"


def history_score(
    folder: str | None, agent_name: str, now: float, hours: float, prior: float = 0
) -> HistoryScore:
    """Return the share of the agent's runs in the last ``hours`` that succeeded.

    ``prior`` is how many runs the assumption of 0.5 counts for, which is the score without runs.
    """
    history = read_rows(folder, now - hours * _HOUR, now, agent_name)
    met, total = sum(map(succeeded, history.rows)), len(history.rows)
    return HistoryScore(agent_history_score(met, total, prior), met, total, history.problems)


def agent_statistics(rows: Sequence[dict[str, Any]], default_threshold: float) -> dict[str, Any]:
    """Return executions, success rate, average confidence, blocked runs and the latest threshold.

    Rates are from 0 to 1, and 0.0 without rows; then the threshold is the default one.
    """
    found = summary(rows)
    latest = sorted(rows, key=stamp)[-1].get("agent_threshold") if rows else None
    return {
        "total_executions": found["executions"],
        "success_rate": found["success_rate"] or 0.0,
        "average_confidence": found["average_confidence"] or 0.0,
        "blocked_count": found["blocked"],
        "threshold": default_threshold if latest is None else latest,
    }


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the numbers, ``known`` from outcomes; rates and averages are None without rows."""
    total = len(rows)
    confidences = sum(row["composite_confidence"] for row in rows)
    return {
        "executions": total,
        "success_rate": sum(map(succeeded, rows)) / total if total else None,
        "known": sum("outcome" in row for row in rows),
        "average_confidence": confidences / total if total else None,
        "blocked": sum(is_blocked(row) for row in rows),
    }


def is_blocked(row: dict[str, Any]) -> bool:
    """Tell whether a row was blocked; rows of other writers may say so only by their threshold."""
    blocked = row.get("should_block")
    return blocked if isinstance(blocked, bool) else not row["threshold_met"]


def stamp(row: dict[str, Any]) -> str:
    """Return what rows are sorted by; those of one second stay in the order of their file."""
    return comparable(row["timestamp"])
