"""The figures as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.confidence.composite.reason import TITLES, percent
from groundwire.render.page import NOTHING
from groundwire.render.prose import counted, one_line

_MOST_BLOCKED = 5
_MOST_SESSIONS = 10
_REASON_WIDTH = 100


def print_figures(console: Console, figures: Mapping[str, Any]) -> None:
    """Print all parts; looks and reinforced sessions only when there are, others in one line."""
    who = f", agent {one_line(figures['agent'])}" if figures["agent"] else ""
    _line(console, f"{figures['since']} to {figures['until']}{who}", "dim")
    _print_decisions(console, figures["decisions"])
    _print_looks(console, figures["second_look"])
    _print_runs(console, figures["composite"])
    _print_sessions(console, figures["reinforcement"])
    for part, name in (("decisions", "decision log"), ("composite", "confidence history")):
        for note in _notes(name, figures[part]):
            _line(console, note, "dim")


def _notes(name: str, part: Mapping[str, Any]) -> list[str]:
    skipped = part["skipped_lines"]
    texts = [f"{name}: skipped {counted(skipped, 'unreadable line')}"] if skipped else []
    return texts + [f"{name}: {one_line(problem)}" for problem in part["problems"]]


def _share(value: float | None) -> str:
    return NOTHING if value is None else percent(value)


def _print_decisions(console: Console, part: Mapping[str, Any]) -> None:
    _line(console, "\nTurns", "bold")
    if not part["turns"]:
        _line(console, "no decisions in this period")
        return
    times = part["milliseconds"]
    slow = f", {times['median']:g} ms median, 95 % within {times['p95']:g} ms" if times else ""
    _line(
        console,
        f"{counted(part['turns'], 'turn')}: {part['blocked']} stopped "
        f"({_share(part['block_rate'])}), {part['reported']} reported, "
        f"{part['passed']} clean, {part['errors']} with errors" + (slow if times else ""),
    )
    for name, rows in (("day", part["per_day"]), ("project", part["per_project"])):
        named_rows = [{**row, "stopped": row["blocked"], "clean": row["passed"]} for row in rows]
        _table(console, (name, "turns", "stopped", "reported", "clean"), named_rows)
    _table(console, ("kind", "matches", "in_stopped"), part["per_kind"])
    _table(console, ("marker", "matches", "in_stopped"), part["markers"])


def _print_looks(console: Console, part: Mapping[str, Any]) -> None:
    if part["looks"]:
        _line(console, "\nSecond look", "bold")
        found = f"{counted(part['wakes'], 'wake')}, {counted(part['notes'], 'note')}"
        unanswered = f" ({part['unanswered']} without an answer)" if part["unanswered"] else ""
        looks = f"{counted(part['looks'], 'look')}{unanswered}"
        _line(console, f"{looks}: {found}, ${part['cost']:.4f}")


def _print_runs(console: Console, part: Mapping[str, Any]) -> None:
    _line(console, "\nComposite confidence", "bold")
    if not part["executions"]:
        _line(console, "no executions in this period")
        return
    _line(
        console,
        f"{counted(part['executions'], 'execution')}: success rate "
        f"{_share(part['success_rate'])}, average "
        f"{_share(part['average_confidence'])}, {part['blocked']} blocked",
    )
    if trend := part["trend"]:
        change = f"{_share(trend['earlier'])} before, {_share(trend['later'])} lately"
        _line(console, f"trend: {trend['direction']}: {change}")
    if part["weakest_factor"]:
        weakest = part["weakest_factor"]
        average = _share(part["factors"][weakest])
        _line(console, f"weakest factor: {TITLES[weakest]}, {average} on average")
    columns = ("executions", "success_rate", "average_confidence", "blocked")
    _table(console, ("day", *columns), part["per_day"])
    agents = [
        {**one, "weakest_factor": TITLES.get(one["weakest_factor"], NOTHING)}
        for one in part["per_agent"]
    ]
    _table(console, ("agent_name", "agent_type", *columns, "threshold", "weakest_factor"), agents)
    _table(console, ("project", *columns), part["per_project"])
    for row in part["last_blocked"][:_MOST_BLOCKED]:
        reason = one_line(str(row["block_reason"] or ""), _REASON_WIDTH)
        _line(console, f"{row['timestamp']} {one_line(row['agent_name'])}: {reason}", "dim")


def _print_sessions(console: Console, part: Mapping[str, Any]) -> None:
    if not part["sessions"]:
        return
    _line(console, "\nReinforced confidence", "bold")
    states = ", ".join(f"{count} in {state}" for state, count in part["states"].items())
    average = _share(part["average_confidence"])
    count = counted(part["sessions"], "session")
    _line(console, f"{count}: average {average} at the last turn, {states}")
    _table(console, ("day", "turns", "average_confidence"), part["per_day"])
    _table(console, ("project", "sessions", "average_confidence"), part["per_project"])
    columns = ("time", "session", "agent", "state", "milestone", "steps", "value")
    _table(console, columns, part["last_sessions"][:_MOST_SESSIONS])


#: What the replay calls the same.
_HEADS = {"in_stopped": "in stopped turns"}
_SHARES = ("success_rate", "average_confidence", "threshold", "value")


def _table(console: Console, columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(
            _HEADS.get(column) or column.replace("_", " "),
            justify="left" if isinstance(next(iter(rows), {}).get(column), str) else "right",
        )
    for row in rows:
        cells = (_share(row[name]) if name in _SHARES else str(row[name]) for name in columns)
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    console.print()
    console.print(table)


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)
