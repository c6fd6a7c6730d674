"""Elements that hold text as it is: nothing in it is ever read as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from groundwire.confidence.advisory.formula import advisory_flag
from groundwire.render.advisory import BADGE_STYLE, badge


def words(text: str, tag: str = "span", classes: str = "") -> TextElement:
    """Add an element with text; change ``.text`` to change what it says."""
    return TextElement(tag=tag, text=text).classes(classes)


def heading(level: int, text: str) -> TextElement:
    """Add a heading of a level from 1 to 3."""
    return words(text, f"h{level}")


def chip(text: str, tone: str = "") -> TextElement:
    """Add a small label; tone: bad, warn, good, info or none."""
    return words(text, classes=f"chip {tone}")


def level_badge(score: float) -> None:
    """Add the badge of a score from 0 to 1, in the words and colours of R001-14, and its flag."""
    one = badge(score)
    with Element("span").classes("verdict"):
        words(one.text).style(f"{BADGE_STYLE};background:{one.background};color:{one.colour}")
        words(advisory_flag(score), classes="soft small")


def facts(rows: Mapping[str, str]) -> None:
    """Add names with their values; what is empty is left out."""
    with Element("dl").classes("facts"):
        for name, value in rows.items():
            if value:
                words(name, "dt")
                words(value, "dd")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], classes: str = "cards") -> None:
    """Add a table whose rows begin with a name; on a narrow screen each of ``cards`` is a card."""
    with Element("table").classes(f"grid {classes}"):
        with Element("thead"), Element("tr"):
            for column in columns:
                words(column, "th").props("scope=col")
        with Element("tbody"):
            for name, *cells in rows:
                with Element("tr"):
                    words(name, "th").props("scope=row")
                    for column, cell in zip(columns[1:], cells, strict=True):
                        words(cell, "td").props(f'data-title="{column}"')


def money(dollars: float | None) -> str:
    """Return a price as it is shown; None is one that is not known."""
    return "price unknown" if dollars is None else f"${dollars:.4f}"


def day(moment: datetime) -> str:
    """Return a moment as it is shown: date and minute, UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def shown(value: Any) -> str:
    """Return a value as a user would type it."""
    if value is None:
        return "(not set)"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(shown(one) for one in value) or "(none)"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(one)}" for key, one in value.items()) or "(none)"
    return str(value)
