"""The figures as one HTML page that needs nothing else: style, plots and their library inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from groundwire.confidence.composite.reason import TITLES
from groundwire.errors import GroundwireError
from groundwire.stats.text import NOTHING, notes, share

_AGENT_COLUMNS = (
    *("agent_name", "agent_type", "executions", "success_rate"),
    *("average_confidence", "threshold", "blocked", "weakest_factor"),
)
_PROJECT_COLUMNS = ("project", "executions", "success_rate", "average_confidence", "blocked")
_SESSION_COLUMNS = (
    *("time", "project", "session", "agent", "state", "milestone", "steps", "value"),
)


def page(figures: Mapping[str, Any]) -> str:
    """Return the page. Raises GroundwireError when plotly is not installed."""
    try:
        from plotly.offline import get_plotlyjs
    except ModuleNotFoundError:
        raise GroundwireError(
            "plotly is not installed; --format html needs: pip install 'groundwire[report]'"
        ) from None
    style = (resources.files("groundwire.stats") / "page.css").read_text(encoding="utf-8")
    window = f"{figures['since'][:10]} to {figures['until'][:10]}"
    agent = f", agent {escape(figures['agent'])}" if figures["agent"] else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>groundwire, {window}</title>\n<style>\n{style}</style>\n"
        f"<script>{get_plotlyjs()}</script>\n</head>\n<body>\n<main>\n"
        f'<h1>groundwire</h1>\n<p class="window">{window}{agent}</p>\n'
        f"{_turns(figures['decisions'])}{_runs(figures['composite'])}"
        f"{_sessions(figures['reinforcement'])}{_notes(figures)}"
        "</main>\n</body>\n</html>"
    )


def _turns(part: Mapping[str, Any]) -> str:
    if not part["turns"]:
        return _section("Turns", "<p>The decision log has no turns in this period.</p>")
    from groundwire.stats import charts

    tiles = [
        ("turns", str(part["turns"])),
        ("stopped", f"{part['blocked']} ({share(part['block_rate'])})"),
        ("reported", str(part["reported"])),
        ("clean", str(part["passed"])),
        ("with errors", str(part["errors"])),
    ]
    if part["milliseconds"]:
        tiles.append(("95 % within", f"{part['milliseconds']['p95']:g} ms"))
    plots = [
        _plot("Turns per day", charts.TURNS_LEGEND, charts.turns_per_day(part["per_day"])),
        _plot("Projects", charts.TURNS_LEGEND, charts.projects(part["per_project"])),
    ]
    for title, rows, name in (
        ("Matches by kind", part["per_kind"], "kind"),
        ("Most frequent markers", part["markers"], "marker"),
    ):
        if rows:
            plots.append(_plot(title, charts.MATCHES_LEGEND, charts.matches(rows, name)))
    return _section("Turns", _tiles(tiles) + _plots(plots))


def _runs(part: Mapping[str, Any]) -> str:
    title = "Composite confidence"
    if not part["executions"]:
        return _section(title, "<p>The history has no executions in this period.</p>")
    from groundwire.stats import charts

    tiles = [
        ("executions", str(part["executions"])),
        ("success rate", share(part["success_rate"])),
        ("average", share(part["average_confidence"])),
        ("blocked", str(part["blocked"])),
        ("weakest factor", TITLES.get(part["weakest_factor"], NOTHING)),
    ]
    if part["trend"]:
        change = f"{share(part['trend']['earlier'])} to {share(part['trend']['later'])}"
        tiles.append((f"trend, {change}", part["trend"]["direction"]))
    days = charts.confidence_per_day(part["per_day"])
    plots = [_plot("Confidence per day", charts.CONFIDENCE_LEGEND, days)]
    if part["factors"]:
        bars = charts.factors(part["factors"], part["weakest_factor"])
        plots.append(_plot("Average of each factor", charts.FACTORS_LEGEND, bars))
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
    body = _tiles(tiles) + _plots(plots) + _table("Agents", _AGENT_COLUMNS, agents)
    body += _table("Projects", _PROJECT_COLUMNS, projects)
    if blocked:
        columns = ("timestamp", "agent_name", "task_id", "composite_confidence", "block_reason")
        body += _table("Last blocked", columns, blocked)
    return _section(title, body)


def _sessions(part: Mapping[str, Any]) -> str:
    if not part["sessions"]:
        return ""
    from groundwire.stats import charts

    tiles = [
        ("sessions", str(part["sessions"])),
        ("average", share(part["average_confidence"])),
        *((f"in {state}", str(count)) for state, count in part["states"].items()),
    ]
    days = charts.reinforced_per_day(part["per_day"])
    plots = [_plot("Average of the turns of a day", charts.REINFORCED_LEGEND, days)]
    sessions = [{**row, "value": share(row["value"])} for row in part["last_sessions"]]
    body = _tiles(tiles) + _plots(plots) + _table("Last sessions", _SESSION_COLUMNS, sessions)
    return _section("Reinforced confidence", body)


def _notes(figures: Mapping[str, Any]) -> str:
    found = notes("decision log", figures["decisions"])
    found += notes("confidence history", figures["composite"])
    return "".join(f'<p class="note">{escape(note)}</p>\n' for note in found)


def _section(title: str, body: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{body}</section>\n"


def _tiles(tiles: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>\n" for k, v in tiles)
    return f'<dl class="tiles">\n{rows}</dl>\n'


def _plots(plots: Iterable[str]) -> str:
    return f'<div class="plots">\n{"".join(plots)}</div>\n'


def _plot(title: str, legend: Iterable[tuple[str, str]], plot: str) -> str:
    """Return one plot below its title and what its colours mean."""
    parts = "".join(
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in legend
    )
    caption = f'<figcaption>{escape(title)}<span class="legend">{parts}</span></figcaption>'
    return f"<figure>\n{caption}\n{plot}\n</figure>\n"


def _table(title: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    heads = "".join(f"<th>{escape(column.replace('_', ' '))}</th>" for column in columns)
    lines = "".join(f"<tr>{_cells(columns, row)}</tr>\n" for row in rows)
    return (
        f'<h3>{escape(title)}</h3>\n<div class="table"><table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{lines}</tbody>\n</table></div>\n"
    )


def _cells(columns: Sequence[str], row: Mapping[str, Any]) -> str:
    cells = []
    for column in columns:
        value = row[column]
        text = NOTHING if value is None else str(value)
        title = column.replace("_", " ")
        cells.append(f'<td data-column="{column}" data-title="{title}">{escape(text)}</td>')
    return "".join(cells)
