"""Reading the decision log and the history of one window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from groundwire.history.day_files import history_folder
from groundwire.history.read import read_rows
from groundwire.settings import Composite
from groundwire.state.log_lines import LogLines, read_log
from groundwire.state.paths import state_folder
from groundwire.state.second_look import EVENT
from groundwire.stats.decisions import decision_figures, text_of
from groundwire.stats.looks import LookFigures
from groundwire.stats.runs import run_figures
from groundwire.stats.sessions import reinforced_turn, session_figures

_SECOND = len("2025-11-15T10:30:00")


def collect(
    env: Mapping[str, str],
    settings: Composite,
    since: str,
    now: datetime,
    agent: str = "",
) -> dict[str, Any]:
    """Return all figures from ``since`` (UTC, ISO, without a zone) to ``now``.

    With ``agent`` only runs of exactly this agent name, and turns of this agent type.
    """
    first = datetime.fromisoformat(since).replace(tzinfo=UTC)
    until = now.astimezone(UTC).isoformat()[:_SECOND]
    folder = state_folder(env)
    log = read_log(folder) if folder else None
    reinforced: list[dict[str, Any]] = []
    looks = LookFigures()
    window = (since[:_SECOND], until)
    turns = _window_records(log, window, agent, reinforced, looks) if log else ()
    decisions = decision_figures(turns)
    rows = read_rows(
        history_folder(settings.history, env), first.timestamp(), now.timestamp(), agent
    )
    return {
        "since": f"{since[:_SECOND]}Z",
        "until": f"{until}Z",
        "agent": agent or None,
        "decisions": {
            **decisions,
            "skipped_lines": log.skipped if log else 0,
            "problems": log.problems if log else [],
        },
        "second_look": looks.figures(),
        "composite": {
            **run_figures(rows.rows),
            "skipped_lines": rows.skipped,
            "problems": list(rows.problems),
        },
        "reinforcement": session_figures(reinforced),
    }


def _window_records(
    log: LogLines,
    window: tuple[str, str],
    agent: str,
    reinforced: list[dict[str, Any]],
    looks: LookFigures,
) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the turns of a window; second looks are counted and no turns.

    What the records say of reinforced confidences goes to the list. The log is too long to be held
    as a whole.
    """
    since, until = window
    for record in log:
        moment = text_of(record, "time")[:_SECOND]
        if since <= moment <= until and agent in ("", record.get("agent_type")):
            if record.get("event") == EVENT:
                looks.add(record)
                continue
            turn = reinforced_turn(record)
            if turn:
                reinforced.append(turn)
            yield record
