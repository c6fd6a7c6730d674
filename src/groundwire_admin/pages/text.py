"""Elements that hold text as it is: nothing in it is ever read as HTML."""

from __future__ import annotations

from datetime import UTC, datetime

from nicegui.elements.mixins.text_element import TextElement


def words(text: str, tag: str = "span", classes: str = "") -> TextElement:
    """Add an element with text; change ``.text`` to change what it says."""
    return TextElement(tag=tag, text=text).classes(classes)


def heading(level: int, text: str) -> TextElement:
    """Add a heading of a level from 1 to 3."""
    return words(text, f"h{level}")


def chip(text: str, tone: str = "") -> TextElement:
    """Add a small label; tone: bad, warn, good, info or none."""
    return words(text, classes=f"chip {tone}")


def day(moment: datetime) -> str:
    """Return a moment as it is shown: date and minute, UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
