"""Commands of the turn and their outcomes."""

from __future__ import annotations

from groundwire.evidence.runs.build import runs_of
from groundwire.evidence.runs.edits import source_edits, stale
from groundwire.evidence.runs.history import last_outcomes, open_failures
from groundwire.evidence.runs.weakened import weakened_tests

__all__ = [
    "last_outcomes",
    "open_failures",
    "runs_of",
    "source_edits",
    "stale",
    "weakened_tests",
]
