"""Shares with their intervals."""

from __future__ import annotations

from math import nan, sqrt

from groundwire.record import Record

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
