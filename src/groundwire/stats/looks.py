"""Figures of the second looks, from records of the decision log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from groundwire.state.second_look import NOTE, WAKE, looked


class LookFigures:
    """Counts looks, and what came of them; one whose price is not known costs nothing."""

    def __init__(self) -> None:
        self._acts: Counter[str] = Counter()
        self._unanswered = 0
        self._cost = 0.0

    def add(self, record: Mapping[str, Any]) -> None:
        """Count the look of a record."""
        look = looked(record)
        cost = look.get("cost")
        self._acts[str(look.get("act"))] += 1
        self._unanswered += not look.get("model")
        self._cost += cost if isinstance(cost, int | float) else 0.0

    def figures(self) -> dict[str, Any]:
        """Return the counts, and the dollars of all."""
        return {
            "looks": self._acts.total(),
            "unanswered": self._unanswered,
            "wakes": self._acts[WAKE],
            "notes": self._acts[NOTE],
            "cost": round(self._cost, 6),
        }
