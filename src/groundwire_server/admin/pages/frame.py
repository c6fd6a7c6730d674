"""What every admin page has: header, navigation, theme, and the landmark for its content."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import ui

from groundwire_server.admin.pages.elements import heading, words
from groundwire_server.admin.web.guard import USER

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


def choice(
    label: str, options: Mapping[Any, str], value: object, address: Callable[[Any], str]
) -> ui.select:
    """Add a choice that leads to the ``address`` of what is chosen."""
    box = ui.select(dict(options), value=value, label=label).props("outlined dense")
    return box.on_value_change(lambda event: ui.navigate.to(address(event.value)))


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


COOKIE = "groundwire_theme"
_YEAR = 31_536_000
_NEXT = {"system": "light", "light": "dark", "dark": "system"}
_ICONS = {"system": "brightness_auto", "light": "light_mode", "dark": "dark_mode"}
_DARK = {"system": None, "light": False, "dark": True}


def theme_of(request: Request) -> str:
    """Return the chosen theme: system, light or dark."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in _NEXT else "system"


def theme_button() -> None:
    """Apply the theme, and add the button that goes to the next one."""
    theme = theme_of(ui.context.client.request)
    dark = ui.dark_mode(_DARK[theme])
    with ui.button().props("flat dense round color=primary") as button:
        tooltip = ui.tooltip()

    def show() -> None:
        name = f"Theme: {theme}; change to {_NEXT[theme]}"
        button.props(f'icon={_ICONS[theme]} aria-label="{name}"')
        tooltip.text = name

    def change() -> None:
        nonlocal theme
        theme = _NEXT[theme]
        dark.set_value(_DARK[theme])
        cookie = f"{COOKIE}={theme}; path=/; max-age={_YEAR}; samesite=strict"
        ui.run_javascript(f"document.cookie = {cookie!r}")
        show()

    button.on_click(change)
    show()
