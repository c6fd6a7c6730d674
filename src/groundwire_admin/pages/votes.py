"""Thumbs up and down; a second click on the same one takes the vote back."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from groundwire.errors import GroundwireError
from groundwire_admin.pages.frame import who
from groundwire_admin.pages.load import ask
from groundwire_admin.pages.states import say
from groundwire_admin.pages.text import words

#: Vote, icon, name, and the key that gives it (see keys.js).
_THUMBS = ((1, "thumb_up", "Right", "r"), (-1, "thumb_down", "Wrong", "w"))
_SAID = {1: "You said: right.", -1: "You said: wrong."}


def vote_buttons(question: str, vote: int | None, keep: Callable[..., None]) -> None:
    """Add the question with both thumbs; ``keep`` takes the vote (1, -1, 0) and who gave it."""
    with ui.element("div").classes("line").props(f'role=group aria-label="{question}"'):
        words(question, classes="field-name")
        _thumbs(vote, keep, small=False)


def vote_icons(question: str, vote: int | None, keep: Callable[..., None]) -> None:
    """Add both thumbs without words, for a row of a list."""
    with ui.element("div").classes("thumbs").props(f'role=group aria-label="{question}"'):
        _thumbs(vote, keep, small=True)


def _thumbs(vote: int | None, keep: Callable[..., None], *, small: bool) -> None:
    buttons: dict[int, ui.button] = {}
    chosen = vote or 0

    def show() -> None:
        for value, button in buttons.items():
            pressed = value == chosen
            look, other = ("unelevated", "outline") if pressed else ("outline", "unelevated")
            button.props(f"{look} aria-pressed={str(pressed).lower()}", remove=other)
        if said:
            said.text = _SAID.get(chosen, "")

    async def click(value: int) -> None:
        nonlocal chosen
        value = 0 if value == chosen else value
        try:
            await ask(keep, value, who=who())
        except GroundwireError as error:
            say(f"The vote was not saved: {error}", "negative")
        else:
            chosen = value
            show()

    for value, icon, name, key in _THUMBS:
        button = ui.button(
            "" if small else name, icon=icon, on_click=lambda value=value: click(value)
        )
        button.props(f'data-key={key} aria-label="{name}"' + (" dense round" if small else ""))
        buttons[value] = button
    said = None if small else words("", classes="soft").props("role=status")
    show()
