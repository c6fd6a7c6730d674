"""Two plain statements of one message that cannot both hold.

Statements are looked up by subject and scope, never compared pair by pair. What counts is a
statement followed by its opposite: in the other order it usually tells of a repair, so there the
first one must say that it is *still* so.
"""

from __future__ import annotations

from groundwire.scan.scope_breaks import find_scope_breaks
from groundwire.scan.statements import find_statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.scan.clauses import Statement
    from groundwire.text.fold import Folded

POLARITY = "contradiction.polarity"
NUMBER = "contradiction.number"
SCOPE = "contradiction.scope"


def find_contradictions(
    folded: Folded, sentences: list[tuple[int, int]]
) -> list[tuple[int, int, int, int, str]]:
    """Return ``(start, end, other_start, other_end, marker id)`` in folded positions.

    ``start:end`` is the later of the two statements, the evidence; ``other`` the earlier one. Of a
    statement about all and what it leaves out the evidence is the one about all.
    ``sentences`` are the ascending spans of all sentences. Linear in the message.
    """
    found = []
    seen: dict[tuple[str, ...], _Seen] = {}
    for statement in find_statements(folded, sentences):
        before = seen.setdefault(statement.key, _Seen())
        marker_id, other = before.against(statement)
        if other is not None:
            found.append((statement.start, statement.end, other.start, other.end, marker_id))
        before.add(statement)
    found.extend((*spots, SCOPE) for spots in find_scope_breaks(folded, sentences))
    return found


class _Seen:
    """The latest statements of each sort about one thing."""

    def __init__(self) -> None:
        self.whole: Statement | None = None  # it holds of all
        self.part: Statement | None = None  # it holds of N of M
        self.open: Statement | None = None  # it still does not hold

    def add(self, statement: Statement) -> None:
        if not statement.holds:
            self.open = statement if statement.persists else self.open
        elif statement.whole:
            self.whole = statement
        elif statement.total is not None:
            self.part = statement

    def against(self, later: Statement) -> tuple[str, Statement | None]:
        """Return the earlier statement that ``later`` excludes, and how."""
        if not later.holds:
            return POLARITY, _elsewhere(self.whole, later)
        if later.whole and self.open is not None:
            return POLARITY, _elsewhere(self.open, later)
        if later.counts or later.whole:
            return NUMBER, _elsewhere(_if(self.whole, _differ(self.whole, later)), later)
        if later.total is None or later.count is None:
            return NUMBER, None
        if later.count < later.total and self.whole is not None:
            return NUMBER, _elsewhere(self.whole, later)
        return NUMBER, _elsewhere(_if(self.part, _fell(self.part, later)), later)


def _elsewhere(earlier: Statement | None, later: Statement) -> Statement | None:
    """Two clauses of one sentence are a contrast that the writer sees."""
    return earlier if earlier is not None and earlier.sentence != later.sentence else None


def _if(statement: Statement | None, holds: bool) -> Statement | None:
    return statement if holds else None


def _differ(earlier: Statement | None, later: Statement) -> bool:
    if earlier is None or earlier.count is None or later.count is None:
        return False
    return earlier.count != later.count


def _fell(earlier: Statement | None, later: Statement) -> bool:
    """Fewer of the same total than before; more would be progress."""
    if earlier is None or earlier.count is None or later.count is None:
        return False
    return earlier.total == later.total and later.count < earlier.count
