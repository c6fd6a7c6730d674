"""Charts, drawn by plotly in the browser from data that stands in the page.

Their colours stand out on a light and on a dark page; text and grid take theirs from the style.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from groundwire.stats.charts import CLEAN, PLAIN, REPORTED, STOPPED
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.text import shown, words
from groundwire_admin.pages.verdicts import kind_words
from groundwire_admin.service.experiment_report import GroupView
from groundwire_admin.service.figures import (
    AgentView,
    DayView,
    KindView,
    LatencyView,
    ReliabilityView,
)

_PARTS = (
    ("blocked", "blocked", STOPPED),
    ("reported", "reported", REPORTED),
    ("passed", "passed", CLEAN),
)
_PERCENTILES = (("p50", "median", CLEAN), ("p95", "95 %", REPORTED), ("p99", "99 %", STOPPED))
_GROUP_COLOURS = {"formula": PLAIN, "llm": REPORTED, "hybrid": CLEAN}
_CLEAR = "rgba(0,0,0,0)"
_NAMED_DAYS = 6
_ROW, _FRAME, _HEIGHT = 30, 96, 280  # pixels
Table = Sequence[Sequence[Any]]


def turns_chart(days: Sequence[DayView]) -> None:
    """Add stacked bars of the turns of each day."""
    x = [one.day for one in days]
    traces = [_bar(name, x, [getattr(one, key) for one in days], c) for key, name, c in _PARTS]
    rows: list[list[Any]] = [
        [one.day, one.blocked, one.reported, one.passed, one.errors] for one in days
    ]
    layout = {
        "barmode": "stack",
        "bargap": 0.3 if len(days) > 3 else 0.8,  # few bars would fill the plot
        "yaxis": {"title": {"text": "turns"}, "rangemode": "tozero"},
    }
    table = [["day", "blocked", "reported", "passed", "with errors"], *rows]
    _chart("Turns per day", traces, layout | {"xaxis": _day_axis(x)}, table)


def kinds_chart(kinds: Sequence[KindView]) -> None:
    """Add bars of the matches of each kind: in blocked turns, and in others."""
    names = [kind_words(one.kind) for one in kinds]
    blocked = [one.in_blocked for one in kinds]
    others = [one.matches - one.in_blocked for one in kinds]
    traces = [
        _lying("in blocked turns", names, blocked, STOPPED),
        _lying("in other turns", names, others, REPORTED),
    ]
    rows: list[list[Any]] = [
        [name, one.matches, one.in_blocked] for name, one in zip(names, kinds, strict=True)
    ]
    table = [["kind", "matches", "in blocked turns"], *rows]
    _chart("Matches per kind", traces, _lying_layout(len(names)), table)


def agents_chart(agents: Sequence[AgentView]) -> None:
    """Add bars of the turns of each agent type."""
    names = [one.agent_type or "main agent" for one in agents]
    traces = [
        _lying(name, names, [getattr(one, key) for one in agents], colour)
        for key, name, colour in _PARTS
    ]
    rows: list[list[Any]] = [
        [name, one.blocked, one.reported, one.passed]
        for name, one in zip(names, agents, strict=True)
    ]
    table = [["agent", "blocked", "reported", "passed"], *rows]
    _chart("Turns per agent", traces, _lying_layout(len(names)), table)


def latency_chart(days: Sequence[LatencyView]) -> None:
    """Add lines of the time that the hook took each day."""
    x = [one.day for one in days]
    traces = [
        _line(name, x, [getattr(one, key) for one in days], colour)
        for key, name, colour in _PERCENTILES
    ]
    rows: list[list[Any]] = [[one.day, one.turns, one.p50, one.p95, one.p99] for one in days]
    layout = {"yaxis": {"title": {"text": "ms"}, "rangemode": "tozero"}}
    table = [["day", "turns", "median ms", "95 % ms", "99 % ms"], *rows]
    _chart("Time of the hook", traces, layout | {"xaxis": _day_axis(x)}, table)


def reliability_chart(title: str, figures: ReliabilityView, note: str) -> None:
    """Add what was said against how often it was right, with 95 % intervals."""
    bins = [one for one in figures.bins if one.said is not None and one.right.share is not None]
    shares = [one.right.share or 0.0 for one in bins]
    above = [(one.right.high or 0) - (one.right.share or 0) for one in bins]
    below = [(one.right.share or 0) - (one.right.low or 0) for one in bins]
    points: dict[str, Any] = {
        "type": "scatter",
        "name": "votes",
        "mode": "markers",
        "x": [one.said for one in bins],
        "y": shares,
        "marker": {"color": PLAIN, "size": 10},
        "error_y": {"type": "data", "array": above, "arrayminus": below, "color": PLAIN},
        "customdata": [one.right.of for one in bins],
        "hovertemplate": "said %{x:.2f}, right %{y:.2f} of %{customdata} votes<extra></extra>",
    }
    ideal = _line("ideal", [0, 1], [0, 1], STOPPED) | {"mode": "lines"}
    ideal["line"] = {"color": "#8b8d98", "width": 1, "dash": "dot"}
    unit = {"range": [-0.02, 1.02], "dtick": 0.25}
    layout = {
        "xaxis": unit | {"title": {"text": "said"}},
        "yaxis": unit | {"title": {"text": "right"}},
    }
    rows: list[list[Any]] = [
        [f"{one.low:g} to {one.high:g}", one.right.of, one.right.count] for one in figures.bins
    ]
    _chart(title, [ideal, points], layout, [["said", "votes", "right"], *rows], note)


def scores_chart(groups: Sequence[GroupView]) -> None:
    """Add the distribution of scores of each A/B group as shares of its judgements."""
    names = [f"{at / 10:.1f}" for at in range(10)]
    traces = []
    for group in groups:
        whole = sum(group.scores.counts) or 1
        shares = [count / whole for count in group.scores.counts]
        traces.append(_bar(group.method, names, shares, _GROUP_COLOURS[group.method]))
    layout = {
        "barmode": "group",
        "xaxis": {"type": "category", "title": {"text": "score from"}},
        "yaxis": {"tickformat": ".0%", "rangemode": "tozero"},
    }
    rows: list[list[Any]] = [[group.method, *group.scores.counts] for group in groups]
    _chart("Scores", traces, layout, [["method", *names], *rows])


def _chart(
    title: str,
    traces: list[dict[str, Any]],
    layout: Mapping[str, Any],
    table: Table,
    note: str = "",
) -> None:
    """Add a chart, and its figures as a table for whoever cannot see it."""
    common = {
        "margin": {"l": 12, "r": 12, "t": 12, "b": 12},
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "font": {"family": "system-ui, sans-serif", "size": 12},
        "legend": {
            "orientation": "h",
            "y": 1.02,
            "yanchor": "bottom",
            "x": 0,
            "traceorder": "normal",
        },
        "showlegend": True,
        "height": _HEIGHT,
    }
    whole = common | _with_margins(layout)
    figure = {
        "data": traces,
        "layout": whole,
        "config": {"displayModeBar": False, "responsive": True},
    }
    with panel(title):
        ui.plotly(figure).classes("chart").style(f"height: {whole['height']}px")
        if note:
            words(note, "p", "soft small")
        with ui.element("details"):
            words("Figures", "summary")
            _table(table)


def _table(table: Table) -> None:
    box = ui.element("div").classes("scroll").props("tabindex=0")
    with box, ui.element("table").classes("grid small"):
        for number, row in enumerate(table):
            with ui.element("tr"):
                for value in row:
                    words(shown(value), "td" if number else "th")


def _with_margins(layout: Mapping[str, Any]) -> dict[str, Any]:
    """Let labels make their own room."""
    axes = {"automargin": True, "fixedrange": True, "zeroline": False}
    given = {name: axes | layout.get(name, {}) for name in ("xaxis", "yaxis")}
    return {**layout, **given}


def _day_axis(days: Sequence[str]) -> dict[str, Any]:
    """Return an axis of days of which a few are named: all of them would not fit."""
    step = max(1, math.ceil(len(days) / _NAMED_DAYS))
    named = list(days[::step])
    return {"type": "category", "tickvals": named, "ticktext": [day[5:] for day in named]}


def _bar(name: str, x: Sequence[Any], y: Sequence[float], colour: str) -> dict[str, Any]:
    return {"type": "bar", "name": name, "x": x, "y": y, "marker": {"color": colour}}


def _lying(name: str, names: Sequence[str], values: Sequence[int], colour: str) -> dict[str, Any]:
    return _bar(name, values, [], colour) | {"y": names, "orientation": "h"}


def _lying_layout(rows: int) -> dict[str, Any]:
    return {
        "barmode": "stack",
        "height": _FRAME + _ROW * max(rows, 2),
        "yaxis": {"autorange": "reversed", "type": "category"},
        "xaxis": {"rangemode": "tozero"},
    }


def _line(name: str, x: Sequence[Any], y: Sequence[float], colour: str) -> dict[str, Any]:
    line = {"color": colour, "width": 2}
    return {"type": "scatter", "name": name, "x": x, "y": y, "mode": "lines+markers", "line": line}
