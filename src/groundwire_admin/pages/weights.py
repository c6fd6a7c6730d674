"""Sliders with a name and a value beside them; two of them can share a whole."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from groundwire_admin.pages.text import words

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
        # the browser keeps what the user does: an answer to an earlier move would take it back
        keep = f"mounted_app.elements[{self._input.id}].props.value = event.target.value"
        self._input.on(
            "input",
            lambda event: self._moved(float(event.args)),
            js_handler=f"(event) => {{ {keep}; emit(event.target.value) }}",
            throttle=0.05,
        )

    @property
    def value(self) -> float:
        """The value, rounded to the slider's digits: steps leave dust (1 - .9 is not .1)."""
        return self._value

    def set(self, value: float) -> None:
        """Move the slider, and tell whoever listens."""
        if self._take(round(value, self._digits)):
            self._input.props(f"value={self._value}")
            self._tell()

    def _moved(self, value: float) -> None:
        """Follow what the user did."""
        if self._take(round(value, self._digits)):
            with self._input.props.suspend_updates():
                self._input.props["value"] = self._value
            self._tell()

    def _take(self, value: float) -> bool:
        changed = value != self._value
        self._value = value
        self._shown.text = self._text
        return changed

    def _tell(self) -> None:
        if self._on_change:
            self._on_change(self._value)

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
