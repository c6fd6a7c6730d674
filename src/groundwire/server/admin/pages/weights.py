"""Sliders with a name and a value beside them; two of them can share a whole."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from groundwire.server.admin.pages.text import words

DIGITS = 2


class NamedSlider:
    """A slider from ``low`` to ``high`` in steps, its name and its value above, help below.

    The browser's own: keyboard and screen readers know it.
    """

    def __init__(  # noqa: PLR0913
        self,
        name: str,
        value: float,
        *,
        low: float = 0.0,
        high: float = 1.0,
        step: float = 0.05,
        digits: int = DIGITS,
        help_text: str = "",
        on_change: Callable[[float], None] | None = None,
    ) -> None:
        self._name, self._digits, self._on_change = name, digits, on_change
        self._value = value
        with ui.element("div").classes("field"):
            with ui.element("div").classes("field-head").props('aria-hidden="true"'):
                words(name, classes="field-name")
                self._shown = words(self._text, classes="field-value")
            self._input = ui.element("input").props(
                f'type=range aria-label="{name}" min={low} max={high} step={step} value={value}'
            )
            if help_text:
                words(help_text, classes="help")
        self._input.on(
            "input",
            lambda event: self.set(float(event.args)),
            js_handler="(event) => emit(event.target.value)",
            throttle=0.05,
        )

    @property
    def value(self) -> float:
        """The value, rounded to the slider's digits: steps leave dust (1 - .9 is not .1)."""
        return self._value

    def set(self, value: float) -> None:
        """Move the slider, and tell whoever listens."""
        value = round(value, self._digits)
        if value == self._value:
            return
        self._value = value
        self._shown.text = self._text
        self._input.props(f"value={value}")
        if self._on_change:
            self._on_change(value)

    @property
    def _text(self) -> str:
        return f"{self._value:.{self._digits}f}"


class WeightPair:
    """Two weights that sum to 1: the other follows the one that is moved (R002-29)."""

    def __init__(
        self, names: tuple[str, str], first: float, on_change: Callable[[float, float], None]
    ) -> None:
        self._on_change = on_change
        with ui.element("div").classes("pair"):
            self.first = NamedSlider(
                names[0], first, on_change=lambda value: self._follow(self.second, value)
            )
            self.second = NamedSlider(
                names[1],
                round(1 - first, DIGITS),
                on_change=lambda value: self._follow(self.first, value),
            )

    def _follow(self, other: NamedSlider, value: float) -> None:
        other.set(1 - value)
        self._on_change(self.first.value, self.second.value)
