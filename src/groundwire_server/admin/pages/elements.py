"""Elements of every page: text as it is, states while loading, and what the browser keeps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from groundwire.base.errors import GroundwireError
from groundwire_confidence.advisory.formula import advisory_flag
from groundwire_confidence.advisory.text import BADGE_STYLE, badge


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


def loading(text: str) -> ui.element:
    """Add a spinner with words."""
    with ui.element("div").classes("state loading").props("role=status") as box:
        ui.spinner(size="28px").props('aria-hidden="true"')
        words(text)
    return box


def empty(title: str, text: str) -> ui.element:
    """Add what is said when there is nothing yet, and what to do about it."""
    with ui.element("div").classes("state") as box:
        heading(2, title)
        words(text, "p")
    return box


def failed(title: str, text: str, retry: Callable[[], Awaitable[None]] | None = None) -> ui.element:
    """Add what went wrong, and a button to try again."""
    with ui.element("div").classes("state bad").props("role=alert") as box:
        heading(2, title)
        words(text, "p")
        if retry:
            ui.button("Try again", on_click=retry).props("outline no-caps color=primary")
    return box


def notice(tone: str, title: str, *lines: str) -> ui.element:
    """Add a box of tone info, good, warn or bad; more can be put into it."""
    role = "alert" if tone in ("warn", "bad") else "status"
    with ui.element("div").classes(f"notice {tone}").props(f"role={role}") as box:
        words(title, "strong")
        for line in lines:
            words(line)
    return box


def say(text: str, tone: Literal["positive", "warning", "negative"] = "positive") -> None:
    """Tell the user for a moment what happened; tone: positive, warning or negative."""
    ui.notify(text, position="top", type=tone, multi_line=True)


Found = TypeVar("Found")
#: Calls a function of the service, which waits for files and databases, outside of the event loop.
ask = asyncio.to_thread


async def load(
    what: str, fetch: Callable[[], Awaitable[Found]], show: Callable[[Found], object]
) -> None:
    """Send the page with a spinner, fetch, and ``show`` what was found in place of the spinner.

    ``what`` is named while it loads, and when it fails with a GroundwireError; then it can be
    tried again.
    """
    box = ui.element("div").classes("stack")

    def wait() -> None:
        box.clear()
        with box:
            loading(f"Loading {what} ...")

    async def fill() -> None:
        wait()
        data: Found | GroundwireError
        try:
            data = await fetch()
        except GroundwireError as error:
            data = error
        if box.is_deleted:  # the visitor has left
            return
        box.clear()
        with box:
            if isinstance(data, GroundwireError):
                failed(f"{what[:1].upper()}{what[1:]} could not be loaded", str(data), fill)
            else:
                show(data)

    wait()
    client = ui.context.client
    await client.connected()  # the page is sent with what it has until here
    if not client.is_deleted:
        await fill()


#: Seconds that a browser may take to answer, also through a busy server that has just started.
#: What it has kept is not shown when it takes longer.
_PATIENCE = 30
#: What is said where something typed earlier stands in a form again.
RESTORED = "Unsaved input from your last visit was restored."


class Kept:
    """One document of this browser, by the name of what is edited."""

    def __init__(self, name: str) -> None:
        self._client = ui.context.client
        self._key = json.dumps(f"groundwire {name}")
        self._text = ""
        #: What was kept when it was read.
        self.typed: dict[str, Any] = {}

    async def read(self) -> None:
        """Read what was kept into ``typed``: {} for nothing, or for what is no document of ours."""
        code = f"return localStorage.getItem({self._key}) ?? ''"
        try:
            self._text = str(await self._client.run_javascript(code, timeout=_PATIENCE))
            document = json.loads(self._text or "{}")
        except (TimeoutError, ValueError):
            return
        self.typed = document if isinstance(document, dict) else {}

    def keep(self, document: Mapping[str, Any]) -> None:
        """Keep a document in place of the one before; an empty one is taken away."""
        text = json.dumps(document) if document else ""
        if text == self._text:
            return
        self._text = text
        value = json.dumps(text)
        act = f"setItem({self._key}, {value})" if text else f"removeItem({self._key})"
        self._client.run_javascript(f"localStorage.{act}")
