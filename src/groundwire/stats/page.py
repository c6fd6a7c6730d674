"""The figures as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from groundwire.confidence.composite.reason import TITLES
from groundwire.render.page import NOTHING, html_page, section, statement, table, tiles
from groundwire.render.prose import one_line
from groundwire.stats import charts
from groundwire.stats.text import notes, share

_AGENT_COLUMNS = (
    *("agent_name", "agent_type", "executions", "success_rate"),
    *("average_confidence", "threshold", "blocked", "weakest_factor"),
)
_PROJECT_COLUMNS = ("project", "executions", "success_rate", "average_confidence", "blocked")
_SESSION_COLUMNS = (
    *("time", "project", "session", "agent", "state", "milestone", "steps", "value"),
)
_BLOCKED_COLUMNS = ("timestamp", "agent_name", "task_id", "composite_confidence", "block_reason")

#: Rows of a chart or table; ``--format json`` has all of them.
_MOST_ROWS = 20

Rows = Sequence[Mapping[str, Any]]


def page(figures: Mapping[str, Any]) -> str:
    """Return the page; parts without entries are left out."""
    parts = (figures[name]["per_day"] for name in ("decisions", "composite", "reinforcement"))
    used_days = [row["day"] for part in parts for row in part]
    days = charts.days_of(figures["since"], figures["until"], used_days)
    window = f"{figures['since'][:10]} to {figures['until'][:10]}"
    agent = f", agent {figures['agent']}" if figures["agent"] else ""
    body = (
        _turns_section(figures["decisions"], days)
        + _runs_section(figures["composite"], days)
        + _sessions_section(figures["reinforcement"], days)
    )
    body = body or "<p>Nothing was recorded in this period.</p>\n"
    return html_page("groundwire statistics", f"{window}{agent}", body + _notes_html(figures))


def _turns_section(part: Mapping[str, Any], days: Sequence[str]) -> str:
    if not part["turns"]:
        return ""
    figures = [
        ("turns", str(part["turns"])),
        ("stopped", f"{part['blocked']} ({share(part['block_rate'])})"),
        ("reported", str(part["reported"])),
        ("clean", str(part["passed"])),
        ("with errors", str(part["errors"])),
    ]
    if part["milliseconds"]:
        figures.append(("95 % within", f"{part['milliseconds']['p95']:g} ms"))
    plots = [
        charts.columns("Turns per day", days, part["per_day"], charts.TURNS),
    ]
    title, rows = _top_rows("Projects", part["per_project"], "turns")
    plots.append(charts.bars(title, "project", rows, charts.TURNS))
    for title, rows, name in (
        ("Matches by kind", part["per_kind"], "kind"),
        ("Most frequent markers", part["markers"], "marker"),
    ):
        if rows:
            counts = [{**row, "in_others": row["matches"] - row["in_stopped"]} for row in rows]
            plots.append(charts.bars(title, name, counts, charts.MATCHES))
    stopped = "".join(map(_stopped_turn, part["last_stopped"]))
    last = f"<h3>Last stopped turns</h3>\n{stopped}" if stopped else ""
    return section("Turns", tiles(figures) + _plots_html(plots) + last)


def _top_rows(title: str, rows: Rows, count: str) -> tuple[str, Rows]:
    """Return the rows with the highest counts, and a title that says so where there are more."""
    if len(rows) <= _MOST_ROWS:
        return title, rows
    most = sorted(rows, key=lambda row: -row[count])[:_MOST_ROWS]
    return f"{title}: the {_MOST_ROWS} of {len(rows)} with the most {count}", most


def _stopped_turn(turn: Mapping[str, Any]) -> str:
    place = f"{turn['project']}, session {turn['session']}"
    statements = "".join(
        statement(
            f'"{one_line(row["evidence"])}"', row["confidence"], row["marker"], row.get("why", "")
        )
        for row in turn["statements"]
    )
    moment = turn["time"][:16].replace("T", " ")
    return (
        f"<article>\n<h3>{escape(one_line(place))}</h3>\n"
        f'<p class="soft">{escape(moment)} UTC</p>\n{statements}</article>\n'
    )


def _runs_section(part: Mapping[str, Any], days: Sequence[str]) -> str:
    if not part["executions"]:
        return ""
    figures = [
        ("executions", str(part["executions"])),
        ("success rate", share(part["success_rate"])),
        ("average", share(part["average_confidence"])),
        ("blocked", str(part["blocked"])),
        ("weakest factor", TITLES.get(part["weakest_factor"], NOTHING)),
    ]
    if part["trend"]:
        change = f"{share(part['trend']['earlier'])} to {share(part['trend']['later'])}"
        figures.append((f"trend, {change}", part["trend"]["direction"]))
    title, by_day = "Confidence per day", part["per_day"]
    plots = [charts.lines(title, days, by_day, charts.CONFIDENCE, "executions")]
    if part["factors"]:
        title = "Average of each factor"
        plots.append(charts.factors(title, part["factors"], part["weakest_factor"]))
    agents = [
        {
            **row,
            "success_rate": share(row["success_rate"]),
            "average_confidence": share(row["average_confidence"]),
            "threshold": share(row["threshold"]),
            "weakest_factor": TITLES.get(row["weakest_factor"], NOTHING),
        }
        for row in part["per_agent"]
    ]
    blocked = [
        {**row, "composite_confidence": share(row["composite_confidence"])}
        for row in part["last_blocked"]
    ]
    projects = [
        {**row, **{name: share(row[name]) for name in ("success_rate", "average_confidence")}}
        for row in part["per_project"]
    ]
    body = tiles(figures) + _plots_html(plots)
    for name, columns, rows in (
        ("Agents", _AGENT_COLUMNS, agents),
        ("Projects", _PROJECT_COLUMNS, projects),
    ):
        heading, most = _top_rows(name, rows, "executions")
        body += table(heading, columns, most)
    if blocked:
        body += table("Last blocked", _BLOCKED_COLUMNS, blocked)
    return section("Composite confidence", body)


def _sessions_section(part: Mapping[str, Any], days: Sequence[str]) -> str:
    if not part["sessions"]:
        return ""
    figures = [
        ("sessions", str(part["sessions"])),
        ("average", share(part["average_confidence"])),
        *((f"in {state}", str(count)) for state, count in part["states"].items()),
    ]
    title, by_day = "Average of the turns of a day", part["per_day"]
    plots = [charts.lines(title, days, by_day, charts.REINFORCED, "turns")]
    sessions = [{**row, "value": share(row["value"])} for row in part["last_sessions"]]
    body = tiles(figures) + _plots_html(plots) + table("Last sessions", _SESSION_COLUMNS, sessions)
    return section("Reinforced confidence", body)


def _notes_html(figures: Mapping[str, Any]) -> str:
    texts = notes("decision log", figures["decisions"])
    texts += notes("confidence history", figures["composite"])
    return "".join(f'<p class="soft">{escape(note)}</p>\n' for note in texts)


def _plots_html(plots: Iterable[str]) -> str:
    return f'<div class="plots">\n{"".join(plots)}</div>\n'
