"""Patterns that are looked for in files; the hook loads them only for ``[reinforcement]``."""

from __future__ import annotations

from groundwire.base.record import Record

#: Where a pattern may stand: at the start of a line, as whole words, or anywhere.
LINE_START = "line-start"
WORD = "word"
ANYWHERE = "anywhere"
BOUNDARIES = (LINE_START, WORD, ANYWHERE)
#: Keys of the milestones that a pattern can belong to (R004-10).
MILESTONE_KEYS = ("M1_INIT", "M2_VERIFY", "M3_COVERAGE", "M4_VV")


class FilePattern(Record):
    """One entry of a pattern file with ``mode = "file"``, compiled.

    ``form`` is taken as it stands, case included; ``weight`` is None when the common one holds.
    """

    id: str
    category: str
    milestone: str
    form: str
    boundary: str
    weight: float | None = None


def shipped_file_patterns() -> tuple[FilePattern, ...]:
    """Return the file patterns that groundwire ships with, sorted by id."""
    from groundwire.base.rules import milestones

    return tuple(FilePattern(*row) for row in milestones.ROWS)
