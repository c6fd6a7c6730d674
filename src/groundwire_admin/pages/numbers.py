"""Figures with a name side by side, and bars of what went into a number."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from nicegui import ui

from groundwire_admin.pages.text import words
from groundwire_admin.service.numbers import ShareView

NOTHING = "-"


def tiles(rows: Iterable[tuple[str, str, str]]) -> None:
    """Add one tile for each name and value, with the page that it leads to or ""."""
    with ui.element("dl").classes("tiles"):
        for name, value, target in rows:
            with ui.element("div").classes("tile"):
                words(name, "dt")
                with ui.element("dd"):
                    ui.link(value, target) if target else words(value)


def percent(share: float | None) -> str:
    """Return a share from 0 to 1 as percent."""
    return NOTHING if share is None else f"{100 * share:.1f}%"


def share_words(view: ShareView) -> str:
    """Return a share with its 95 % interval and its counts."""
    if view.share is None:
        return "no cases"
    interval = f"{percent(view.low)} to {percent(view.high)}"
    return f"{percent(view.share)} ({interval}), {view.count} of {view.of}"


def number(value: float | None, unit: str = "", digits: int = 0) -> str:
    """Return a number with its unit, "-" for none."""
    return NOTHING if value is None else f"{value:,.{digits}f}{unit}"


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
