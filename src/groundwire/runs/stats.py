"""Figures of the decision log: reading a window of it, counting, and tables for a terminal."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.base.model import BLOCK, KINDS, PASS, REPORT
from groundwire.base.paths import state_folder
from groundwire.base.settings import Composite
from groundwire.hook.log_lines import LogLines, read_log
from groundwire.hook.memory import UNKNOWN, project_of
from groundwire.hook.second_look_state import EVENT, NOTE, WAKE, looked
from groundwire.report.page import NOTHING
from groundwire.report.prose import counted, one_line
from groundwire_confidence.composite.formula import TITLES, percent
from groundwire_confidence.history import history_folder
from groundwire_confidence.history_read import read_rows
from groundwire_confidence.stats import reinforced_turn, run_figures, session_figures


class LookFigures:
    """Counts looks, and what came of them; one whose price is not known costs nothing."""

    def __init__(self) -> None:
        self._acts: Counter[str] = Counter()
        self._unanswered = 0
        self._cost = 0.0

    def add(self, record: Mapping[str, Any]) -> None:
        """Count the look of a record."""
        look = looked(record)
        cost = look.get("cost")
        self._acts[str(look.get("act"))] += 1
        self._unanswered += not look.get("model")
        self._cost += cost if isinstance(cost, int | float) else 0.0

    def figures(self) -> dict[str, Any]:
        """Return the counts, and the dollars of all."""
        return {
            "looks": self._acts.total(),
            "unanswered": self._unanswered,
            "wakes": self._acts[WAKE],
            "notes": self._acts[NOTE],
            "cost": round(self._cost, 6),
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
