"""Figures with a name, side by side; and shares with their interval in words."""

from __future__ import annotations

from collections.abc import Iterable

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
