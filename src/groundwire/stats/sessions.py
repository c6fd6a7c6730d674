"""Figures of reinforced confidences, from records of the decision log."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from groundwire.confidence.reinforcement.states import STATES
from groundwire.state.project import project_of
from groundwire.stats.decisions import text_of

_MOST_SESSIONS = 20
_COLUMNS = ("session", "agent", "project", "state", "milestone", "steps", "value")


def reinforced_turn(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what one record says of its session's reinforced confidence; None when nothing."""
    reinforcement = record.get("reinforcement")
    if not isinstance(reinforcement, dict):
        return None
    value, steps = reinforcement.get("value"), reinforcement.get("steps")
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        return None
    if reinforcement.get("state") not in list(STATES):
        return None
    return {
        "time": text_of(record, "time"),
        "session": text_of(record, "session"),
        "agent": text_of(record, "agent_type") or text_of(record, "agent_id"),
        "agent_id": text_of(record, "agent_id"),
        "project": project_of(text_of(record, "transcript")),
        "state": reinforcement["state"],
        "milestone": text_of(reinforcement, "milestone"),
        "steps": steps if isinstance(steps, int) and not isinstance(steps, bool) else 0,
        "value": float(value),
    }


def session_figures(turns: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return sessions, average, states and days of turns that are in the order of time.

    A session counts with the value of its last turn, a day with those of all its turns. Averages
    are None without turns.
    """
    last: dict[tuple[str, str], Mapping[str, Any]] = {}
    days: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    count = 0
    for turn in turns:
        key = turn["session"], turn["agent_id"]
        last.pop(key, None)  # the session of the latest turn comes last
        last[key] = turn
        days[turn["time"][:10]].append(turn)
        count += 1
    projects: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for turn in last.values():
        projects[turn["project"]].append(turn)
    states = Counter(turn["state"] for turn in last.values())
    return {
        "turns": count,
        "sessions": len(last),
        "average_confidence": _average(last.values()),
        "states": {state: states[state] for state in STATES if states[state]},
        "per_day": [
            {"day": day, "turns": len(days[day]), "average_confidence": _average(days[day])}
            for day in sorted(days)
        ],
        "per_project": [
            {
                "project": name,
                "sessions": len(projects[name]),
                "average_confidence": _average(projects[name]),
            }
            for name in sorted(projects)
        ],
        "last_sessions": [
            {"time": turn["time"], **{name: turn[name] for name in _COLUMNS}}
            for turn in list(last.values())[: -_MOST_SESSIONS - 1 : -1]
        ],
    }


def _average(turns: Iterable[Mapping[str, Any]]) -> float | None:
    values = [turn["value"] for turn in turns]
    return fmean(values) if values else None
