"""A message with its matches marked: overlapping ones are cut where one begins or ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from nicegui import ui


class Mark(NamedTuple):
    """A stretch of a text in code points; ``number`` is shown behind it and leads to its card."""

    offset: int
    length: int
    number: int
    tone: str


def marked_html(text: str, marks: Sequence[Mark]) -> str:
    """Return the text as HTML; a mark beyond its end is left out."""
    inside = [mark for mark in marks if 0 <= mark.offset < mark.offset + mark.length <= len(text)]
    edges = sorted({0, len(text), *_edges(inside)})
    parts = []
    for start, end in pairwise(edges):
        over = [one for one in inside if one.offset <= start and end <= one.offset + one.length]
        piece = escape(text[start:end])
        if not over:
            parts.append(piece)
            continue
        ending = [one for one in over if one.offset + one.length == end]
        links = (f'<a href="#match-{one.number}">{one.number}</a>' for one in ending)
        behind = f"<sup>{', '.join(links)}</sup>" if ending else ""
        names = [f'<span id="mark-{one.number}"></span>' for one in over if one.offset == start]
        parts.append(f'{"".join(names)}<mark class="{_worst(over)}">{piece}</mark>{behind}')
    return "".join(parts)


def marked_text(text: str, marks: Sequence[Mark]) -> None:
    """Add the text; it can be scrolled with the keyboard."""
    box = ui.html(marked_html(text, marks)).classes("message")
    box.props('tabindex=0 role=region aria-label="Message"')


def _edges(marks: Iterable[Mark]) -> list[int]:
    return [edge for mark in marks for edge in (mark.offset, mark.offset + mark.length)]


def _worst(marks: Iterable[Mark]) -> str:
    order = ("bad", "warn", "info", "good", "")
    return min((mark.tone for mark in marks), key=order.index)
