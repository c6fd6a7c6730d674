"""The plots of the statistics page, by plotly.

Colours stand out on a light and on a dark page; text and grid take theirs from the page's style.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
import plotly.io

from groundwire.confidence.composite.reason import TITLES

STOPPED, REPORTED, CLEAN, PLAIN = "#e5484d", "#e2a336", "#30a46c", "#3b7ddd"
_ROW = 30  # pixels of a horizontal bar with its gap
_FRAME = 60  # pixels above and below the bars
_HEIGHT = 280
_LONGEST_NAME = 34
_CONFIG = {"responsive": True, "displayModeBar": False}
_TURNS = (
    ("blocked", "stopped", STOPPED),
    ("reported", "reported", REPORTED),
    ("passed", "clean", CLEAN),
)
_SERIES = (("average_confidence", "average", PLAIN), ("success_rate", "success rate", CLEAN))
#: Name and colour of each part, for the legends beside the titles.
TURNS_LEGEND = tuple((name, colour) for _, name, colour in _TURNS)
MATCHES_LEGEND = (("in stopped turns", STOPPED), ("in other turns", REPORTED))
CONFIDENCE_LEGEND = tuple((name, colour) for _, name, colour in _SERIES)
REINFORCED_LEGEND = (("average", PLAIN),)
FACTORS_LEGEND = (("weakest", STOPPED),)


def turns_per_day(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return stacked bars of the turns of each day by decision."""
    figure = go.Figure()
    for key, name, colour in _TURNS:
        values = [row[key] for row in rows]
        figure.add_bar(
            x=_days(rows), y=values, name=name, marker_color=colour, width=_day_width(rows)
        )
    figure.update_layout(barmode="stack", yaxis_title="turns")
    return _html(figure, "turns-per-day", _HEIGHT)


def confidence_per_day(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return lines of average confidence and success rate of each day."""
    figure = go.Figure()
    for key, name, colour in _SERIES:
        values = [row[key] for row in rows]
        counts = [row["executions"] for row in rows]
        figure.add_scatter(
            x=_days(rows),
            y=values,
            name=name,
            customdata=counts,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"size": 8},
            hovertemplate="%{y:.1%} of %{customdata} executions",
        )
    figure.update_layout(yaxis={"range": [0, 1.04], "tickformat": ".0%"}, hovermode="x unified")
    return _html(figure, "confidence-per-day", _HEIGHT)


def reinforced_per_day(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a line of the average reinforced confidence of each day's turns."""
    figure = go.Figure()
    figure.add_scatter(
        x=_days(rows),
        y=[row["average_confidence"] for row in rows],
        name="average",
        customdata=[row["turns"] for row in rows],
        mode="lines+markers",
        line={"color": PLAIN, "width": 2},
        marker={"size": 8},
        hovertemplate="%{y:.1%} of %{customdata} turns<extra></extra>",
    )
    figure.update_layout(yaxis={"range": [0, 1.04], "tickformat": ".0%"}, hovermode="x unified")
    return _html(figure, "reinforced-per-day", _HEIGHT)


def projects(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return stacked bars of the turns of each project by decision."""
    figure = go.Figure()
    for key, name, colour in _TURNS:
        _add_bars(figure, rows, "project", [row[key] for row in rows], name, colour)
    return _bars(figure, "projects", [row["project"] for row in rows])


def matches(rows: Sequence[Mapping[str, Any]], title: str) -> str:
    """Return stacked bars of the matches of each kind or marker: in stopped turns, and others."""
    figure = go.Figure()
    stopped = [row["in_stopped"] for row in rows]
    others = [row["matches"] - row["in_stopped"] for row in rows]
    for values, (name, colour) in zip((stopped, others), MATCHES_LEGEND, strict=True):
        _add_bars(figure, rows, title, values, name, colour)
    return _bars(figure, f"{title}s", [row[title] for row in rows])


def factors(averages: Mapping[str, float], weakest: str | None) -> str:
    """Return bars of the average of each factor, the weakest in another colour."""
    names = [TITLES[name] for name in averages]
    colours = [STOPPED if name == weakest else PLAIN for name in averages]
    values = list(averages.values())
    figure = go.Figure(
        go.Bar(
            x=values,
            y=list(range(len(names))),
            customdata=names,
            orientation="h",
            marker_color=colours,
            text=[f"{100 * value:.0f}%" for value in values],
            textposition="inside",
            insidetextanchor="end",
            hovertemplate="%{customdata}: %{x:.1%}<extra></extra>",
        )
    )
    figure.update_layout(
        xaxis={"range": [0, 1], "tickformat": ".0%", "dtick": 0.25, "ticklabeloverflow": "allow"},
    )
    return _bars(figure, "factors", names)


def _days(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [row["day"] for row in rows]


def _day_width(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return the width of a day's bar in milliseconds; one day alone would fill the plot."""
    return 0.7 * 86_400_000 if len(rows) > 1 else 0.2 * 86_400_000


def _add_bars(
    figure: go.Figure,
    rows: Sequence[Mapping[str, Any]],
    title: str,
    values: Sequence[int],
    name: str,
    colour: str,
) -> None:
    figure.add_bar(
        x=values,
        y=list(range(len(rows))),  # a long name is cut, so that its label may not be unique
        name=name,
        orientation="h",
        marker_color=colour,
        customdata=[escape(row[title]) for row in rows],
        hovertemplate="%{customdata}: %{x}",
    )


def _label(name: str) -> str:
    """Return a name as a label: its end when it is long, with nothing that reads as markup."""
    shown = name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"
    return escape(shown)


def _bars(figure: go.Figure, name: str, names: Sequence[str]) -> str:
    axis = {
        "autorange": "reversed",
        "tickvals": list(range(len(names))),
        "ticktext": [_label(one) for one in names],
    }
    figure.update_layout(barmode="stack", yaxis=axis)
    return _html(figure, name, _FRAME + _ROW * len(names))


def _html(figure: go.Figure, name: str, height: int) -> str:
    figure.update_layout(
        template="none",
        height=height,
        margin={"l": 8, "r": 20, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 12},
        showlegend=False,
        bargap=0.3,
    )
    figure.update_xaxes(automargin=True, zeroline=False, gridcolor="#8884", fixedrange=True)
    figure.update_yaxes(automargin=True, zeroline=False, gridcolor="#8884", fixedrange=True)
    return str(
        plotly.io.to_html(
            figure, config=_CONFIG, include_plotlyjs=False, full_html=False, div_id=name
        )
    )
