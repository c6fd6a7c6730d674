"""What a page shows while it has nothing to show: loading, empty, failed; and notices."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from nicegui import ui

from groundwire_admin.pages.text import heading, words


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
