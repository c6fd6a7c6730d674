"""Figures of composite and reinforced confidences for ``groundwire stats``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from statistics import fmean
from typing import Any, TypeVar

from rich.console import Console

from groundwire.base.settings import Settings
from groundwire.hook.memory import project_of
from groundwire.report.page import NOTHING
from groundwire.report.prose import counted, one_line
from groundwire.runs.stats import Window, print_line, print_notes, print_table, share, text_of
from groundwire_confidence.assessment import Share
from groundwire_confidence.composite.formula import TITLES, WEIGHTS, factor_value, percent
from groundwire_confidence.history import history_folder
from groundwire_confidence.history_outcomes import VOTE, succeeded
from groundwire_confidence.history_read import is_blocked, read_rows, stamp, summary
from groundwire_confidence.reinforcement.formulas import STATES
from groundwire_confidence.votes import LEAST_VOTES, cuts, proposed

_MOST_BLOCKED = 20
#: A change of the average between both halves of a window that is worth a word.
_TREND_STEP = 0.02
#: Rows of other writers and of older versions do not name one.
_NO_PROJECT = "unknown"

Row = dict[str, Any]
_Row = TypeVar("_Row")
_Key = TypeVar("_Key")


def run_figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Return executions, success, average, factors and trend: of all, by day, agent and project."""
    ordered = sorted(rows, key=stamp)
    days = grouped(ordered, lambda row: stamp(row)[:10])
    agents = grouped(ordered, lambda row: (row["agent_name"], str(row.get("agent_type"))))
    projects = grouped(ordered, _project_name)
    blocked = [row for row in ordered if is_blocked(row)]
    return {
        **summary(ordered),
        "levels": dict(Counter(str(row.get("confidence_level")) for row in ordered)),
        "factors": factor_averages(ordered),
        "weakest_factor": weakest_on_average(ordered),
        "trend": _trend(ordered),
        "by_votes": _by_votes(ordered),
        "per_day": [{"day": day, **summary(its)} for day, its in sorted(days.items())],
        "per_agent": [
            {
                "agent_name": name,
                "agent_type": kind,
                **summary(its),
                "threshold": its[-1].get("agent_threshold"),
                "weakest_factor": weakest_on_average(its),
            }
            for (name, kind), its in sorted(agents.items(), key=itemgetter(0))
        ],
        "per_project": [
            {"project": name, **summary(its)}
            for name, its in sorted(projects.items(), key=lambda one: (-len(one[1]), one[0]))
        ],
        "last_blocked": [_blocked_fields(row) for row in reversed(blocked[-_MOST_BLOCKED:])],
    }


def grouped(rows: Iterable[_Row], key: Callable[[_Row], _Key]) -> dict[_Key, list[_Row]]:
    """Return the rows by their key, each group in their order."""
    groups: dict[_Key, list[_Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def factor_averages(rows: Sequence[Row]) -> dict[str, float]:
    """Return the average of each factor over the rows that have it."""
    averages = {}
    for name, _ in WEIGHTS:
        values = [value for row in rows if (value := factor_value(row, name)) is not None]
        if values:
            averages[name] = fmean(values)
    return averages


def weakest_on_average(rows: Sequence[Row]) -> str | None:
    """Return the factor that costs the composite most on average; None without factors."""
    averages = factor_averages(rows)
    weights = dict(WEIGHTS)
    losses = {name: round(weights[name] * (1 - value), 6) for name, value in averages.items()}
    return max(losses, key=losses.__getitem__, default=None)


def _by_votes(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Return what thresholds do to the runs that were voted on; None without a vote."""
    voted = [row for row in rows if row.get("outcome", {}).get("source") == VOTE]
    if not voted:
        return None
    found = cuts([(row["composite_confidence"], succeeded(row)) for row in voted])
    best = proposed(found)
    return {
        "votes": len(voted),
        "proposed": best.threshold if best else None,
        "thresholds": [
            {
                "threshold": one.threshold,
                "right_held_back": _share(one.held),
                "wrong_let_through": _share(one.passed),
            }
            for one in found
        ],
    }


def _share(share: Share) -> dict[str, Any]:
    low, high = share.interval
    return {"count": share.hits, "of": share.count, "low": low, "high": high}


def _trend(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Compare the averages of the earlier and the later half of the runs; None for fewer than 4."""
    half = len(rows) // 2
    if half < 2:
        return None
    earlier = fmean(row["composite_confidence"] for row in rows[:half])
    later = fmean(row["composite_confidence"] for row in rows[-half:])
    change = later - earlier
    word = "steady" if abs(change) < _TREND_STEP else "rising" if change > 0 else "falling"
    return {"earlier": earlier, "later": later, "direction": word}


def _project_name(row: Row) -> str:
    project = row.get("project")
    return project if isinstance(project, str) and project else _NO_PROJECT


def _blocked_fields(row: Row) -> dict[str, Any]:
    keys = ("timestamp", "agent_name", "agent_type", "task_id", "composite_confidence")
    return {key: row.get(key) for key in (*keys, "block_reason")}


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


def session_figures(turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return sessions, average, states and days of turns that are in the order of time.

    A session counts with the value of its last turn, a day with those of all its turns. Averages
    are None without turns.
    """
    last: dict[tuple[str, str], Mapping[str, Any]] = {}
    for turn in turns:
        key = turn["session"], turn["agent_id"]
        last.pop(key, None)  # the session of the latest turn comes last
        last[key] = turn
    days = grouped(turns, lambda turn: turn["time"][:10])
    projects = grouped(last.values(), lambda turn: turn["project"])
    states = Counter(turn["state"] for turn in last.values())
    return {
        "turns": len(turns),
        "sessions": len(last),
        "average_confidence": _average(last.values()),
        "states": {state: states[state] for state in STATES if states[state]},
        "per_day": [
            {"day": day, "turns": len(its), "average_confidence": _average(its)}
            for day, its in sorted(days.items())
        ],
        "per_project": [
            {"project": name, "sessions": len(its), "average_confidence": _average(its)}
            for name, its in sorted(projects.items())
        ],
        "last_sessions": [
            {"time": turn["time"], **{name: turn[name] for name in _COLUMNS}}
            for turn in list(last.values())[: -_MOST_SESSIONS - 1 : -1]
        ],
    }


def _average(turns: Iterable[Mapping[str, Any]]) -> float | None:
    values = [turn["value"] for turn in turns]
    return fmean(values) if values else None


_SHOWN_BLOCKED, _SHOWN_SESSIONS, _REASON_WIDTH = 5, 10, 100


class ConfidenceFigures:
    """The parts "composite" and "reinforcement" of ``groundwire stats``."""

    def __init__(self, env: Mapping[str, str], settings: Settings, window: Window) -> None:
        folder = history_folder(settings.composite.history, env)
        self._rows = read_rows(folder, window.first, window.last, window.agent)
        self._turns: list[dict[str, Any]] = []

    def add(self, record: Mapping[str, Any]) -> None:
        """Count what a record of the decision log says of its reinforced confidence."""
        turn = reinforced_turn(record)
        if turn:
            self._turns.append(turn)

    def figures(self) -> dict[str, Any]:
        """Return the parts by name."""
        rows = self._rows
        unread = {"skipped_lines": rows.skipped, "problems": list(rows.problems)}
        composite = {**run_figures(rows.rows), **unread}
        return {"composite": composite, "reinforcement": session_figures(self._turns)}

    @staticmethod
    def show(console: Console, figures: Mapping[str, Any]) -> None:
        """Print the parts."""
        _print_runs(console, figures["composite"])
        _print_sessions(console, figures["reinforcement"])
        print_notes(console, "confidence history", figures["composite"])


def _print_runs(console: Console, part: Mapping[str, Any]) -> None:
    print_line(console, "\nComposite confidence", "bold")
    if not part["executions"]:
        print_line(console, "no executions in this period")
        return
    print_line(
        console,
        f"{counted(part['executions'], 'execution')}: success rate "
        f"{share(part['success_rate'])}, average "
        f"{share(part['average_confidence'])}, {part['blocked']} blocked, "
        f"{part['known']} with a known outcome",
    )
    if trend := part["trend"]:
        change = f"{share(trend['earlier'])} before, {share(trend['later'])} lately"
        print_line(console, f"trend: {trend['direction']}: {change}")
    if part["weakest_factor"]:
        weakest = part["weakest_factor"]
        average = share(part["factors"][weakest])
        print_line(console, f"weakest factor: {TITLES[weakest]}, {average} on average")
    columns = ("executions", "success_rate", "average_confidence", "blocked")
    print_table(console, ("day", *columns), part["per_day"])
    agents = [
        {**one, "weakest_factor": TITLES.get(one["weakest_factor"], NOTHING)}
        for one in part["per_agent"]
    ]
    print_table(
        console, ("agent_name", "agent_type", *columns, "threshold", "weakest_factor"), agents
    )
    print_table(console, ("project", *columns), part["per_project"])
    if part["by_votes"]:
        _print_thresholds(console, part["by_votes"])
    for row in part["last_blocked"][:_SHOWN_BLOCKED]:
        reason = one_line(str(row["block_reason"] or ""), _REASON_WIDTH)
        print_line(console, f"{row['timestamp']} {one_line(row['agent_name'])}: {reason}", "dim")


def _print_thresholds(console: Console, part: Mapping[str, Any]) -> None:
    found = part["proposed"]
    needed = f"a proposal needs {LEAST_VOTES}, of both sorts"
    what = f"{percent(found)} makes the fewest errors" if found else needed
    print_line(console, f"thresholds by {counted(part['votes'], 'vote')}: {what}")
    columns = ("right_held_back", "wrong_let_through")
    shown = [{**one, **{key: _of(one[key]) for key in columns}} for one in part["thresholds"]]
    rows = {tuple(one[key] for key in columns): one for one in shown}  # where something changes
    print_table(console, ("threshold", *columns), rows.values())


def _of(part: Mapping[str, Any]) -> str:
    interval = f"{percent(part['low'])} to {percent(part['high'])}"
    return f"{part['count']} of {part['of']} ({interval})" if part["of"] else NOTHING


def _print_sessions(console: Console, part: Mapping[str, Any]) -> None:
    if not part["sessions"]:
        return
    print_line(console, "\nReinforced confidence", "bold")
    states = ", ".join(f"{count} in {state}" for state, count in part["states"].items())
    average = share(part["average_confidence"])
    count = counted(part["sessions"], "session")
    print_line(console, f"{count}: average {average} at the last turn, {states}")
    print_table(console, ("day", "turns", "average_confidence"), part["per_day"])
    print_table(console, ("project", "sessions", "average_confidence"), part["per_project"])
    columns = ("time", "session", "agent", "state", "milestone", "steps", "value")
    print_table(console, columns, part["last_sessions"][:_SHOWN_SESSIONS])
