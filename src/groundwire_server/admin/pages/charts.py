"""Figures side by side, bars, and charts of plain HTML and CSS.

Everything is placed in percent of its box, so that a chart is as wide as its panel; colours are
those of the style sheet, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from nicegui import ui

from groundwire_server.admin.pages.elements import shown, table, words
from groundwire_server.admin.pages.panels import panel


def tiles(rows: Iterable[tuple[str, str, str]]) -> None:
    """Add one tile for each name and value, with the page that it leads to or ""."""
    with ui.element("dl").classes("tiles"):
        for name, value, target in rows:
            with ui.element("div").classes("tile"):
                words(name, "dt")
                with ui.element("dd"):
                    ui.link(value, target) if target else words(value)


def signed_bars(factors: Iterable[tuple[str, float]]) -> None:
    """Add one bar for each name and points: to the right what raises, to the left what lowers.

    Names without points are told in a line below.
    """
    factors = list(factors)
    rows = [(name, points) for name, points in factors if round(points)]
    idle = [name for name, points in factors if not round(points)]
    largest = max((abs(points) for _, points in rows), default=0.0) or 1.0
    parts = []
    for name, points in rows:
        width = 50 * abs(points) / largest
        left = 50.0 if points >= 0 else 50 - width
        tone = "up" if points >= 0 else "down"
        bar = f'<i class="bar {tone}" style="left:{left:.1f}%;width:{width:.1f}%"></i>'
        parts.append(_row(name, f'<i class="mid"></i>{bar}', f"{points:+.0f}"))
    _grid(parts)
    if idle:
        words(f"Without effect: {', '.join(idle)}.", "p", "help")


def share_bars(rows: Iterable[tuple[str, float | None, str]]) -> None:
    """Add one bar for each name, value from 0 to 1, and its words; None has no bar."""
    parts = []
    for name, value, text in rows:
        width = 100 * min(max(value or 0.0, 0.0), 1.0)
        bar = f'<i class="bar" style="left:0;width:{width:.1f}%"></i>' if value else ""
        parts.append(_row(name, bar, text))
    _grid(parts)


def _row(name: str, bar: str, text: str) -> str:
    return (
        f'<span>{escape(name)}</span><span class="track" aria-hidden="true">{bar}</span>'
        f'<span class="points">{escape(text)}</span>'
    )


def _grid(parts: list[str]) -> None:
    ui.html("".join(parts)).classes("factors")


#: Tones of the style sheet.
BAD, WARN, GOOD, PLAIN = "bad", "warn", "good", "plain"
_NAMED = 5  # labels below a chart: as many as stand apart at 400 pixels
_STEPS = (1, 2, 3, 4, 5, 6, 8, 10)


class Series(NamedTuple):
    """What a chart shows by one colour: its name, and a number for each bar or point."""

    name: str
    tone: str
    values: Sequence[float | None]


class Dot(NamedTuple):
    """A point with its interval; all from 0 to 1."""

    x: float
    y: float
    low: float
    high: float
    title: str


def columns(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    links: Sequence[str] = (),
    unit: str = "",
    *,
    beside: bool = False,
) -> None:
    """Add upright bars, one above the other or ``beside``; ``links`` has an address for each."""
    sums = zip(*(_numbers(one) for one in series), strict=True)
    top = _top(max((max(row) if beside else sum(row) for row in sums), default=0))
    bars = []
    for at, label in enumerate(labels):
        parts = "".join(
            f'<i class="{one.tone}" style="height:{100 * (one.values[at] or 0) / top:.2f}%"></i>'
            for one in series
        )
        told = escape(_told(label, series, at, unit))
        kind = "bars beside" if beside else "bars"
        bars.append(_linked(f'class="{kind}" title="{told}"', parts, links, at))
    plot = f'<div class="plot">{_scale(top, unit)}<div class="columns">{"".join(bars)}</div></div>'
    _chart(title, series, plot + _below(labels), labels, unit)


def rows(
    title: str, labels: Sequence[str], series: Sequence[Series], links: Sequence[str] = ()
) -> None:
    """Add lying bars with their names before them; parts of a bar stand behind each other."""
    sums = [sum(row) for row in zip(*(_numbers(one) for one in series), strict=True)]
    top = max(sums, default=0) or 1
    parts = []
    for at, label in enumerate(labels):
        bar = "".join(
            f'<i class="{one.tone}" style="width:{100 * (one.values[at] or 0) / top:.2f}%"></i>'
            for one in series
        )
        told = escape(_told(label, series, at, ""))
        inner = (
            f'<span>{escape(label)}</span><span class="lying">{bar}</span>'
            f'<span class="points">{sums[at]:g}</span>'
        )
        parts.append(_linked(f'title="{told}"', inner, links, at))
    _chart(title, series, f'<div class="named-bars">{"".join(parts)}</div>', labels)


def lines(title: str, labels: Sequence[str], series: Sequence[Series], unit: str) -> None:
    """Add lines over the labels; where there is no value a line is interrupted."""
    top = _top(max((max(_numbers(one), default=0) for one in series), default=0))
    step = 100 / max(len(labels), 1)
    drawn = "".join(_line(one, top, step) for one in series)
    svg = f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'
    titles = "".join(
        f'<span class="bars" title="{escape(_told(label, series, at, unit))}"></span>'
        for at, label in enumerate(labels)
    )
    plot = f'{_scale(top, unit)}<div class="drawn">{svg}</div><div class="columns">{titles}</div>'
    _chart(title, series, f'<div class="plot">{plot}</div>{_below(labels)}', labels, unit)


def dots(title: str, points: Sequence[Dot], x: str, y: str, note: str) -> None:
    """Add points with intervals in a square from 0 to 1, and the line on which both are equal."""
    parts = []
    for one in points:
        left, told = f"left:{100 * one.x:.1f}%", escape(one.title)
        height = f"bottom:{100 * one.low:.1f}%;height:{100 * (one.high - one.low):.1f}%"
        parts.append(f'<i class="interval" style="{left};{height}"></i>')
        parts.append(f'<i class="dot" style="{left};bottom:{100 * one.y:.1f}%" title="{told}"></i>')
    even = (
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        '<line x1="0" y1="100" x2="100" y2="0"></line></svg>'
    )
    axis = "".join(f"<span>{at / 4:g}</span>" for at in range(5))
    plot = (
        f'<div class="plot">{_scale(1, "")}<div class="drawn">{even}{"".join(parts)}</div></div>'
        f'<div class="under ends">{axis}</div>'
    )
    with panel(title):
        ui.html(plot).classes("chart")
        words(f"Horizontal: {x}. Vertical: {y}. {note}", "p", "soft small")
        with ui.element("details"):
            words("Figures", "summary")
            for one in points:
                words(one.title, "p", "small")


def _chart(
    title: str, series: Sequence[Series], html: str, labels: Sequence[str], unit: str = ""
) -> None:
    """Add a chart, and its figures as a table for whoever cannot see it."""
    legend = "".join(f'<span><i class="{one.tone}"></i>{escape(one.name)}</span>' for one in series)
    with panel(title):
        ui.html(f'<div class="legend">{legend}</div>{html}').classes("chart")
        with ui.element("details"):
            words("Figures", "summary")
            with ui.element("div").classes("wide").props("tabindex=0"):
                names = [one.name + (f", {unit}" if unit else "") for one in series]
                figures = ([_figure(value) for value in one.values] for one in series)
                table(("", *names), zip(labels, *figures, strict=True), "small")


def _figure(value: float | None) -> str:
    return "-" if value is None else shown(round(value, 3))


def _linked(attributes: str, inner: str, links: Sequence[str], at: int) -> str:
    if not links:
        return f"<span {attributes}>{inner}</span>"
    return f'<a href="{escape(links[at])}" {attributes}>{inner}</a>'


def _line(one: Series, top: float, step: float) -> str:
    """Return the line of a series; a value alone between two gaps is a dot."""
    paths: list[list[str]] = [[]]
    for at, value in enumerate(one.values):
        if value is None:
            paths.append([])
        else:
            paths[-1].append(f"{(at + 0.5) * step:.2f},{100 - 100 * value / top:.2f}")
    drawn = [
        (one.tone, path) if len(path) > 1 else (f"{one.tone} alone", [*path, *path])
        for path in paths
        if path
    ]
    return "".join(f'<polyline class="{tone}" points="{" ".join(path)}"/>' for tone, path in drawn)


def _scale(top: float, unit: str) -> str:
    """Return the lines across a plot with their values."""
    return "".join(
        f'<span class="level" style="bottom:{25 * at}%">{top * at / 4:g}{unit if at else ""}</span>'
        for at in range(0, 5, 2)
    )


def _below(labels: Sequence[str]) -> str:
    """Return a few of the labels: all of them would not fit."""
    step = max(1, -(-len(labels) // _NAMED))
    names = (label[5:] if len(label) == 10 else label for label in labels)
    told = (name if at % step == 0 else "" for at, name in enumerate(names))
    return f'<div class="under">{"".join(f"<span>{escape(one)}</span>" for one in told)}</div>'


def _told(label: str, series: Sequence[Series], at: int, unit: str) -> str:
    values = (
        f"{one.name} -" if (number := one.values[at]) is None else f"{one.name} {number:g}{unit}"
        for one in series
    )
    return f"{label}: {', '.join(values)}"


def _numbers(one: Series) -> list[float]:
    return [value or 0 for value in one.values]


def _top(largest: float) -> float:
    """Return the round number up to which a scale goes."""
    power = 1.0
    while power * 10 < largest:
        power *= 10
    while largest and power > largest:
        power /= 10
    return next((step * power for step in _STEPS if step * power >= largest), power) or 1.0
