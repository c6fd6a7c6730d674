"""Figures of the hook's decisions, from records of the decision log."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from groundwire.model import BLOCK, KINDS, PASS, REPORT
from groundwire.state.project import UNKNOWN, project_of

_ACTIONS = (BLOCK, REPORT, PASS)
_MOST_MARKERS = 15
_MOST_STOPPED = 20


def _statements(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what the log has of the statements of a turn: the words that matched."""
    statements = [
        {
            "evidence": text_of(match, "evidence"),
            "marker": text_of(match, "marker") or UNKNOWN,
            "confidence": next((round(number) for number in _numbers(match.get("confidence"))), 0),
        }
        for match in _matches(record)
    ]
    return sorted(statements, key=lambda one: -int(one["confidence"]))


def decision_figures(records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return counts of turns by decision, day and project, of matches by kind and marker.

    ``in_stopped`` counts the matches that stand in turns that were stopped, as a replay does.
    ``errors`` are turns that ended unchecked because something failed. ``last_stopped`` are the
    latest stopped turns with their ``statements``, the latest first.
    """
    stopped: deque[Mapping[str, Any]] = deque(maxlen=_MOST_STOPPED)
    turns: Counter[str] = Counter()
    days: dict[str, Counter[str]] = defaultdict(Counter)
    projects: dict[str, Counter[str]] = defaultdict(Counter)
    matches: dict[str, Counter[tuple[str, bool]]] = {"kind": Counter(), "marker": Counter()}
    milliseconds: list[float] = []
    errors = 0
    for record in records:
        action = record.get("decision")
        if action not in _ACTIONS:
            continue
        errors += bool(record.get("error"))
        turns[action] += 1
        days[text_of(record, "time")[:10]][action] += 1
        projects[project_of(text_of(record, "transcript"))][action] += 1
        if action == BLOCK:
            stopped.append(record)
        milliseconds.extend(_numbers(record.get("milliseconds")))
        for match in _matches(record):
            for name, counts in matches.items():
                counts[text_of(match, name) or UNKNOWN, action == BLOCK] += 1
    return {
        "turns": turns.total(),
        **_action_counts(turns),
        "errors": errors,
        "block_rate": turns[BLOCK] / turns.total() if turns else 0.0,
        "milliseconds": _quantiles(milliseconds),
        "per_day": [{"day": day, **_turn_counts(days[day])} for day in sorted(days)],
        "per_kind": _sorted_kinds(_count_rows("kind", matches["kind"])),
        "per_project": [
            {"project": name, **_turn_counts(projects[name])}
            for name in sorted(projects, key=lambda name: (-projects[name].total(), name))
        ],
        "markers": _count_rows("marker", matches["marker"])[:_MOST_MARKERS],
        "last_stopped": [
            {
                "time": text_of(record, "time"),
                "project": project_of(text_of(record, "transcript")),
                "session": text_of(record, "session") or UNKNOWN,
                "statements": _statements(record),
            }
            for record in reversed(stopped)
        ],
    }


def text_of(record: Mapping[str, Any], key: str) -> str:
    """Return a text of a record; "" when it is missing or of another type."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _matches(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    matches = record.get("matches")
    return [one for one in matches if isinstance(one, dict)] if isinstance(matches, list) else []


def _numbers(value: object) -> list[float]:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return [float(value)] if is_number else []  # type: ignore[arg-type]


def _turn_counts(counts: Counter[str]) -> dict[str, int]:
    return {"turns": counts.total(), **_action_counts(counts)}


def _action_counts(counts: Counter[str]) -> dict[str, int]:
    return {"blocked": counts[BLOCK], "reported": counts[REPORT], "passed": counts[PASS]}


def _count_rows(title: str, counts: Counter[tuple[str, bool]]) -> list[dict[str, Any]]:
    """Return one row for each name, most frequent first."""
    rows = []
    for name in {name for name, _ in counts}:
        stopped = counts[name, True]
        rows.append({title: name, "matches": stopped + counts[name, False], "in_stopped": stopped})
    return sorted(rows, key=lambda row: (-int(row["matches"]), str(row[title])))


def _sorted_kinds(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    order = {kind: number for number, kind in enumerate(KINDS)}
    return sorted(rows, key=lambda row: order.get(row["kind"], len(order)))


def _quantiles(values: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile (nearest rank); {} without values."""
    if not values:
        return {}
    ranked = sorted(values)
    return {
        "median": ranked[(len(ranked) - 1) // 2],
        "p95": ranked[min(len(ranked) - 1, (95 * len(ranked)) // 100)],
    }
