"""What the confidence models share: results, bands, rounding, shares with their intervals.

Values run from 0 to 1 and high is good, unlike the confidence of a match (0 to 100, high is bad).
Used on the hook path.
"""

from __future__ import annotations

from math import isfinite, nan, sqrt

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record

#: Decimals that a value is rounded to before it is compared with a threshold or a band, so that
#: a sum that is exact on paper does not fall below its threshold by float error.
DECIMALS = 6
_LONGEST_SHOWN = 60


class AssessmentFactor(Record):
    """One named input of a model.

    ``value`` is None when the input is missing; ``weight`` is the one it had in this assessment,
    0.0 for a missing one; ``contribution`` is what it added to the value; ``why`` says in words
    where the value comes from.
    """

    name: str
    value: float | None
    weight: float
    contribution: float = 0.0
    why: str = ""


class Assessment(Record):
    """What one confidence model says.

    ``model`` is composite, advisory, formula, llm, hybrid or reinforcement; ``value`` is rounded to
    ``DECIMALS``; ``met`` tells whether it reaches ``threshold``, and both are None for a model
    without one; ``why`` is one sentence for a person.
    """

    model: str
    value: float
    level: str
    threshold: float | None = None
    met: bool | None = None
    factors: tuple[AssessmentFactor, ...] = ()
    why: str = ""


class Bands(Record):
    """Named levels of one model, highest first, each with its lower bound.

    A bound belongs to its level, except for the levels in ``above``, which begin just above it.
    The last row is for everything else.
    """

    rows: tuple[tuple[str, float], ...]
    above: tuple[str, ...] = ()

    def level(self, value: float) -> str:
        """Return the name of the level that the rounded ``value`` belongs to."""
        exact = rounded(value)
        for name, bound in self.rows[:-1]:
            if exact > bound or (exact == bound and name not in self.above):
                return name
        return self.rows[-1][0]


def rounded(value: float) -> float:
    """Return ``value`` as it is compared: rounded to ``DECIMALS``."""
    return round(value, DECIMALS)


def reaches(value: float, threshold: float) -> bool:
    """Tell whether ``value`` is at or above ``threshold``, both rounded."""
    return rounded(value) >= rounded(threshold)


def number(name: str, value: object) -> float:
    """Return ``value`` as a finite float; raises ConfidenceError naming the input."""
    exact = _finite(value)
    if exact is None:
        raise ConfidenceError(f"{name}: value {shown(value)}: allowed: a finite number")
    return exact


def unit(name: str, value: object) -> float:
    """Return ``value`` as a float from 0 to 1; raises ConfidenceError naming the input."""
    exact = _finite(value)
    if exact is None or not 0.0 <= exact <= 1.0:
        raise ConfidenceError(f"{name}: value {shown(value)}: allowed: a number from 0 to 1")
    return exact


def shown(value: object) -> str:
    """Return a value as it stands in an error message: one short line."""
    try:
        text = repr(value)
    except ValueError:  # a whole number with more digits than the interpreter writes
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


def _finite(value: object) -> float | None:
    """Return a number as a finite float; None for what is none, a truth value among it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        exact = float(value)
    except OverflowError:
        return None
    return exact if isfinite(exact) else None


_Z95 = 1.959964  # standard normal quantile of .975


class Share(Record):
    """``hits`` of ``count``."""

    hits: int
    count: int

    @property
    def value(self) -> float:
        """The share, NaN of nothing."""
        return self.hits / self.count if self.count else nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share after Wilson (1927); 0 to 1 of nothing."""
        n = self.count
        if not n:
            return 0.0, 1.0
        centre = self.value + _Z95**2 / (2 * n)
        spread = _Z95 * sqrt(self.value * (1 - self.value) / n + _Z95**2 / (4 * n * n))
        scale = 1 + _Z95**2 / n
        return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
