"""The compiled rule set as plain data; ``shipped`` is generated from ``patterns/``."""

from __future__ import annotations

from groundwire.model import Marker
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class RuleSet(Record):
    """Rows of markers, and which rows each surface form belongs to.

    ``rows`` hold the fields of ``Marker`` in order; a ``Marker`` is only built for a row that
    occurs in a message. ``forms`` maps a folded surface string to row numbers.
    """

    rows: tuple[tuple[Any, ...], ...]
    forms: dict[str, tuple[int, ...]]

    def marker(self, row: int) -> Marker:
        """Return the marker of one row."""
        return Marker(*self.rows[row])

    def row_of(self, marker_id: str) -> int | None:
        """Return the row of the marker with this id; None when there is none."""
        return next((n for n, row in enumerate(self.rows) if row[0] == marker_id), None)


def shipped_rules() -> RuleSet:
    """Return the rule set that groundwire ships with."""
    from groundwire.rules import shipped

    return RuleSet(shipped.ROWS, shipped.FORMS)
