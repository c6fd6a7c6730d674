"""Light, dark, or what the system says: kept in a cookie, so that the next page knows it."""

from __future__ import annotations

from fastapi import Request
from nicegui import ui

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
