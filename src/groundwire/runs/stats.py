"""Figures of the decision log: reading a window of it, counting, and tables for a terminal."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.base.extras import extras
from groundwire.base.model import BLOCK, KINDS, PASS, REPORT
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.base.settings import Settings
from groundwire.hook.log_lines import LogLines, read_log
from groundwire.hook.memory import UNKNOWN, project_of
from groundwire.hook.second_look_state import EVENT, NOTE, WAKE, looked
from groundwire.report.page import NOTHING
from groundwire.report.prose import counted, one_line


def look_figures(looks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Count looks and what came of them, in dollars, too; one without a known price is free."""
    acts: Counter[str] = Counter()
    unanswered, cost = 0, 0.0
    for look in looks:
        acts[str(look.get("act"))] += 1
        unanswered += not look.get("model")
        price = look.get("cost")
        cost += price if isinstance(price, int | float) else 0.0
    return {
        "looks": acts.total(),
        "unanswered": unanswered,
        "wakes": acts[WAKE],
        "notes": acts[NOTE],
        "cost": round(cost, 6),
    }


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


_SECOND = len("2025-11-15T10:30:00")


class Window(Record):
    """A window of time: ISO in UTC without a zone, seconds since the epoch; "" is any agent."""

    since: str
    until: str
    first: float
    last: float
    agent: str = ""


def parts() -> list[Any]:
    """Return what extras count beside the decisions, by the entry points ``groundwire.stats``.

    Each is made with the environment, the settings and a Window; ``add`` takes a record of a turn,
    ``figures`` returns parts by name, ``show`` prints these.
    """
    return list(extras("stats").values())


def collect(
    env: Mapping[str, str],
    settings: Settings,
    since: str,
    now: datetime,
    agent: str = "",
) -> dict[str, Any]:
    """Return all figures from ``since`` (UTC, ISO, without a zone) to ``now``.

    With ``agent`` only runs of exactly this agent name, and turns of this agent type.
    """
    first = datetime.fromisoformat(since).replace(tzinfo=UTC)
    until = now.astimezone(UTC).isoformat()[:_SECOND]
    window = Window(since[:_SECOND], until, first.timestamp(), now.timestamp(), agent)
    folder = state_folder(env)
    log = read_log(folder) if folder else None
    looks: list[Mapping[str, Any]] = []
    counters = [part(env, settings, window) for part in parts()]
    decisions = decision_figures(_window_records(log, window, counters, looks) if log else ())
    return {
        "since": f"{window.since}Z",
        "until": f"{until}Z",
        "agent": agent or None,
        "decisions": {
            **decisions,
            "skipped_lines": log.skipped if log else 0,
            "problems": log.problems if log else [],
        },
        "second_look": look_figures(looks),
        **{name: part for one in counters for name, part in one.figures().items()},
    }


def _window_records(
    log: LogLines, window: Window, counters: Sequence[Any], looks: list[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the turns of a window; second looks are none.

    The second looks go to ``looks``. The log is too long to be held as a whole.
    """
    for record in log:
        moment = text_of(record, "time")[:_SECOND]
        of_agent = window.agent in ("", record.get("agent_type"))
        if window.since <= moment <= window.until and of_agent:
            if record.get("event") == EVENT:
                looks.append(looked(record))
                continue
            for counter in counters:
                counter.add(record)
            yield record


def print_figures(console: Console, figures: Mapping[str, Any]) -> None:
    """Print all parts; looks and reinforced sessions only when there are, others in one line."""
    who = f", agent {one_line(figures['agent'])}" if figures["agent"] else ""
    print_line(console, f"{figures['since']} to {figures['until']}{who}", "dim")
    _print_decisions(console, figures["decisions"])
    _print_looks(console, figures["second_look"])
    print_notes(console, "decision log", figures["decisions"])
    for part in parts():
        part.show(console, figures)


def print_notes(console: Console, name: str, part: Mapping[str, Any]) -> None:
    """Print what could not be read of a source."""
    skipped = part["skipped_lines"]
    texts = [f"{name}: skipped {counted(skipped, 'unreadable line')}"] if skipped else []
    for text in (*texts, *(f"{name}: {one_line(problem)}" for problem in part["problems"])):
        print_line(console, text, "dim")


def share(value: float | None) -> str:
    """Return a share as a percentage, a dash for None."""
    return NOTHING if value is None else f"{100 * value:.2f}%"


def _print_decisions(console: Console, part: Mapping[str, Any]) -> None:
    print_line(console, "\nTurns", "bold")
    if not part["turns"]:
        print_line(console, "no decisions in this period")
        return
    times = part["milliseconds"]
    slow = f", {times['median']:g} ms median, 95 % within {times['p95']:g} ms" if times else ""
    print_line(
        console,
        f"{counted(part['turns'], 'turn')}: {part['blocked']} stopped "
        f"({share(part['block_rate'])}), {part['reported']} reported, "
        f"{part['passed']} clean, {part['errors']} with errors" + (slow if times else ""),
    )
    for name, rows in (("day", part["per_day"]), ("project", part["per_project"])):
        named_rows = [{**row, "stopped": row["blocked"], "clean": row["passed"]} for row in rows]
        print_table(console, (name, "turns", "stopped", "reported", "clean"), named_rows)
    print_table(console, ("kind", "matches", "in_stopped"), part["per_kind"])
    print_table(console, ("marker", "matches", "in_stopped"), part["markers"])


def _print_looks(console: Console, part: Mapping[str, Any]) -> None:
    if part["looks"]:
        print_line(console, "\nSecond look", "bold")
        found = f"{counted(part['wakes'], 'wake')}, {counted(part['notes'], 'note')}"
        unanswered = f" ({part['unanswered']} without an answer)" if part["unanswered"] else ""
        looks = f"{counted(part['looks'], 'look')}{unanswered}"
        print_line(console, f"{looks}: {found}, ${part['cost']:.4f}")


#: What the replay calls the same.
_HEADS = {"in_stopped": "in stopped turns"}
_SHARES = ("success_rate", "average_confidence", "threshold", "value")


def print_table(
    console: Console, columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]
) -> None:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(
            _HEADS.get(column) or column.replace("_", " "),
            justify="left" if isinstance(next(iter(rows), {}).get(column), str) else "right",
        )
    for row in rows:
        cells = (share(row[name]) if name in _SHARES else str(row[name]) for name in columns)
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    console.print()
    console.print(table)


def print_line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)
