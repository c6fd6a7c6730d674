"""The charts of the statistics page: plain HTML and SVG, in the colours of its style.

A chart over time has a place for every day of the window, also for those without an entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from html import escape
from typing import Any

from groundwire.confidence.composite.reason import TITLES

#: Key of a row, its name, and its tone in the style.
TURNS = (
    ("blocked", "stopped", "bad"),
    ("reported", "reported", "warn"),
    ("passed", "clean", "good"),
)
MATCHES = (
    ("in_stopped", "in stopped turns", "bad"),
    ("in_others", "in other turns", "warn"),
)
CONFIDENCE = (
    ("average_confidence", "average", "plain"),
    ("success_rate", "success rate", "good"),
)
REINFORCED = CONFIDENCE[:1]
_LABELS = 6
_LONG = 62
_STEPS = (1, 2, 4, 6, 8, 10)

Rows = Sequence[Mapping[str, Any]]
Series = Sequence[tuple[str, str, str]]


def days_of(since: str, until: str, used: Sequence[str]) -> list[str]:
    """Return every day of a window, given by two ISO moments, as YYYY-MM-DD.

    A window of more than ``_LONG`` days begins with the first of the days that are ``used``.
    """
    first, last = date.fromisoformat(since[:10]), date.fromisoformat(until[:10])
    days = [str(first + timedelta(days=number)) for number in range((last - first).days + 1)]
    begin = min(used, default="") if len(days) > _LONG else ""
    return days[days.index(begin) :] if begin in days else days


def columns(title: str, days: Sequence[str], rows: Rows, series: Series) -> str:
    """Return upright bars of the counts of each day, parts of a day above each other."""
    places = {day: place for place, day in enumerate(days)}
    known_rows = [row for row in rows if row["day"] in places]
    top = _top(max((sum(row[key] for key, *_ in series) for row in known_rows), default=0))
    drawn = []
    for row in known_rows:
        height, parts = 100.0, []
        for key, _, tone in series:
            part = 100 * row[key] / top
            height -= part
            place = f'x="{places[row["day"]] + 0.12:.2f}" y="{height:.2f}"'
            size = f'width="0.76" height="{part:.2f}"'
            parts.append(f'<rect class="{tone}" {place} {size}/>' if part else "")
        text = ", ".join(f"{row[key]} {name}" for key, name, _ in series)
        drawn.append(f"<g><title>{row['day']}: {text}</title>{''.join(parts)}</g>")
    return _over_days(title, days, series, "".join(drawn), (f"{top}", f"{top // 2}", "0"))


def lines(title: str, days: Sequence[str], rows: Rows, series: Series, what: str) -> str:
    """Return lines of the shares of each day; ``what`` is the key of the number of their entries.

    A day without an entry has no point, so the line goes straight on to the next one.
    """
    places = {day: place + 0.5 for place, day in enumerate(days)}
    drawn = []
    for key, name, tone in series:
        points = [
            (places[row["day"]], 100 - 100 * row[key], row)
            for row in rows
            if row[key] is not None and row["day"] in places
        ]
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y, _ in points)
        drawn.append(f'<polyline class="{tone}" points="{path}"/>')
        for x, y, row in points:
            text = f"{row['day']}: {name} {100 * row[key]:.1f} % of {row[what]} {what}"
            dot = f'<path class="{tone}" d="M{x:.2f} {y:.2f}h0"/>'
            drawn.append(f"<g><title>{text}</title>{dot}</g>")
    return _over_days(title, days, series, "".join(drawn), ("100 %", "50 %", "0"))


def bars(title: str, name: str, rows: Rows, series: Series) -> str:
    """Return lying bars of counts behind the value that each row has for ``name``."""
    top = max(sum(row[key] for key, *_ in series) for row in rows) or 1
    parts = []
    for row in rows:
        text = ", ".join(f"{row[key]} {of}" for key, of, _ in series)
        inner = "".join(
            f'<i class="{tone}" style="width:{100 * row[key] / top:.2f}%"></i>'
            for key, _, tone in series
        )
        number = sum(row[key] for key, *_ in series)
        parts.append(_bar(str(row[name]), text, inner, str(number)))
    return _figure(title, series, f'<div class="bars">{"".join(parts)}</div>')


def factors(title: str, averages: Mapping[str, float], weakest: str | None) -> str:
    """Return bars of the average of each factor, the weakest in another colour."""
    parts = []
    for name, value in averages.items():
        tone = "bad" if name == weakest else "plain"
        share = f"{100 * value:.0f} %"
        inner = f'<i class="{tone}" style="width:{100 * value:.2f}%"></i>'
        parts.append(_bar(TITLES[name], share, inner, share))
    legend = [("", "weakest", "bad")]
    return _figure(title, legend, f'<div class="bars">{"".join(parts)}</div>')


def _bar(name: str, text: str, inner: str, number: str) -> str:
    label = escape(name)
    return (
        f'<div title="{label}: {text}"><span>{label}</span><span class="bar">{inner}</span>'
        f"<span>{number}</span></div>"
    )


def _over_days(
    title: str, days: Sequence[str], series: Series, drawn: str, scale: Sequence[str]
) -> str:
    step = max(1, -(-len(days) // _LABELS))
    day_labels = "".join(
        f'<span style="left:{100 * (place + 0.5) / len(days):.2f}%">{days[place][5:]}</span>'
        for place in range(0, len(days), step)
    )
    ticks = "".join(f"<span>{one}</span>" for one in scale)
    svg = (
        f'<svg viewBox="0 0 {len(days)} 100" preserveAspectRatio="none" role="img">'
        f'<path class="grid" d="M0 0H{len(days)}M0 50H{len(days)}M0 100H{len(days)}"/>{drawn}</svg>'
    )
    plot = f'<div class="scale">{ticks}</div><div>{svg}<div class="days">{day_labels}</div></div>'
    return _figure(title, series, f'<div class="plot">{plot}</div>')


def _figure(title: str, series: Series, body: str) -> str:
    """Return a chart below its title and what its colours mean."""
    parts = "".join(
        f'<span><i class="{tone}"></i>{escape(name)}</span>' for _, name, tone in series
    )
    caption = f'<figcaption>{escape(title)}<span class="legend">{parts}</span></figcaption>'
    return f"<figure>\n{caption}\n{body}\n</figure>\n"


def _top(value: int) -> int:
    """Return an even round number that is not below ``value``; half of it is on the scale."""
    power = 1
    while True:
        for step in _STEPS:
            if step * power >= value and step * power % 2 == 0:
                return step * power
        power *= 10
