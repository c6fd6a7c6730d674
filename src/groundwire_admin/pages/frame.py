"""What every admin page has: header, navigation, theme, and the landmark for its content."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from fastapi import Request
from nicegui import ui

from groundwire_admin.pages.text import heading, words
from groundwire_admin.pages.theme import theme_button
from groundwire_admin.web.guard import USER

#: Who a change is said to be by when nobody gave a name at sign-in.
_NOBODY = "admin page"
Route = Callable[[str], Callable[[Callable[..., Awaitable[None]]], object]]


class Entry(NamedTuple):
    """One line of the navigation: path below the pages' mount, and its words."""

    path: str
    title: str


NAVIGATION = (
    Entry("/", "Confidence"),
    Entry("/hook", "Hook settings"),
    Entry("/decisions", "Decisions"),
    Entry("/answers", "Scored answers"),
    Entry("/trends", "Trends"),
    Entry("/changes", "Changes"),
    Entry("/ab", "A/B report"),
)
_SIDE = 216  # pixels
_WIDE = 1024  # pixels from which the navigation stands beside the content


def who() -> str:
    """Return the name that the visitor gave at sign-in, for votes and the history."""
    return str(ui.context.client.request.scope.get(USER) or _NOBODY)


def asked(request: Request, name: str, fallback: int) -> int:
    """Return a whole number of the address; what is mistyped counts as left out."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else fallback


@contextmanager
def frame(path: str, title: str, lead: str = "") -> Iterator[None]:
    """Lay out a page: ``path`` marks the entry of the navigation, ``lead`` is a line below."""
    ui.page_title(f"{title} - groundwire")
    # Quasar opens it on a wide screen and says so; with no value the framework would ask a script
    drawer = ui.left_drawer(value=False)
    drawer.props(f"show-if-above width={_SIDE} breakpoint={_WIDE - 1}")
    with ui.header():
        ui.button(icon="menu", on_click=drawer.toggle).props(
            'flat dense round color=primary aria-label="Navigation"'
        )
        ui.link("groundwire", "/").classes("brand")
        ui.space()
        theme_button()
        if who() != _NOBODY:
            words(who(), classes="soft small visitor")
        with ui.element("form").props('method=post action="/logout"'):
            ui.button("Log out").props("flat dense no-caps color=primary type=submit")
    with drawer, ui.element("nav").classes("nav").props('aria-label="Pages"'):
        for entry in NAVIGATION:
            link = ui.link(entry.title, entry.path)
            if entry.path == path:
                link.props('aria-current="page"')
    main = ui.element("div").classes("stack")  # the framework puts it into the landmark
    ui.skip_link("Skip to the content", target=main)
    with main:
        with ui.element("div"):
            heading(1, title)
            if lead:
                words(lead, "p", "soft")
        yield
