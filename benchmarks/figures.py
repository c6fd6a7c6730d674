"""Figures, how they are made from samples, and how they are shown beside their targets."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """One measured number.

    ``low`` and ``high`` are the quartiles of its samples, where it has some; ``target`` is what
    the project wants, a lower bound with ``at_least``; None where nothing is asked.
    """

    part: str
    name: str
    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    target: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target

    def fields(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return {**self._asdict(), "met": self.met}


class Quartiles(NamedTuple):
    """The median of some samples between their quartiles."""

    low: float
    median: float
    high: float


def quartiles(samples: Sequence[float]) -> Quartiles:
    """Return the quartiles of at least one sample, by linear interpolation between them."""
    if len(samples) == 1:
        return Quartiles(samples[0], samples[0], samples[0])
    return Quartiles(*statistics.quantiles(samples, n=4, method="inclusive"))


def percentile(samples: Sequence[float], percent: int) -> float:
    """Return a percentile (1 to 99) of at least two samples, by linear interpolation."""
    return statistics.quantiles(samples, n=100, method="inclusive")[percent - 1]


def ratios(samples: Sequence[float], base: Sequence[float]) -> Quartiles:
    """Return the quartiles of the ratios of samples that were taken in pairs."""
    return quartiles([one / other for one, other in zip(samples, base, strict=True)])


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the exponent of the power of the size that fits the costs best.

    It is the slope of the least-squares line through the logarithms: 1 is linear, 2 quadratic.
    """
    line = statistics.linear_regression(
        [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    )
    return line.slope


def slope(places: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of the least-squares line through ``values`` at ``places``."""
    return statistics.linear_regression(places, values).slope


def from_quartiles(part: str, name: str, found: Quartiles, unit: str, **more: Any) -> Figure:
    """Return the figure whose value is the median of ``found``."""
    return Figure(part, name, found.median, unit, found.low, found.high, **more)


def shown(number: float) -> str:
    """Return a number with three significant digits, and no fewer than it has before the point."""
    if number == 0 or abs(number) >= 1000:
        return f"{number:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:.{min(digits, 4)}f}"


def row(figure: Figure) -> str:
    """Return a figure as one line: name, value with spread, target, and whether it is met."""
    value = f"{shown(figure.value)} {figure.unit}".strip()
    spread = ""
    if figure.low is not None and figure.high is not None:
        spread = f"({shown(figure.low)} to {shown(figure.high)})"
    wanted = ""
    if figure.target is not None:
        sign = ">=" if figure.at_least else "<="
        wanted = f"{sign} {shown(figure.target)}: {'met' if figure.met else 'NOT MET'}"
    return f"{figure.name:46} {value:>16} {spread:20} {wanted}".rstrip()


def summary(figures: Sequence[Figure]) -> str:
    """Return how many targets are met, and the names of those that are not."""
    asked = [figure for figure in figures if figure.met is not None]
    missed = [f"{figure.part}: {figure.name}" for figure in asked if not figure.met]
    text = f"{len(asked) - len(missed)} of {len(asked)} targets met"
    return "\n".join([text, *(f"  not met: {name}" for name in missed)])
