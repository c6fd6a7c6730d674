"""What the readers of a turn pass on to each other: runs, their outcomes, and pointers to calls."""

from __future__ import annotations

from groundwire.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.record import Record

#: What outputs say is told in the same words here.
__all__ = ("FAILED", "PASSED", "UNKNOWN", "Outcome")

TEST = "test"
BUILD = "build"
LINT = "lint"
FORMAT = "format"
TYPES = "types"
INSTALL = "install"
GIT = "git"
LOOK = "look"
OTHER = "other"
RUN_KINDS = (TEST, BUILD, LINT, FORMAT, TYPES, INSTALL, GIT, LOOK, OTHER)


class Run(Record):
    """One command in the order of the turn, with its outcome.

    ``index`` is the position of its tool call. ``signature`` names what is the same command in
    another spelling: its last outcome counts. ``narrow`` says why it covers a part only (one file,
    ``-k``), ``distrust`` why the exit status says nothing; both are empty otherwise. ``changes``:
    the command changes a state and shows nothing of it (``kubectl apply``).
    """

    call_id: str
    index: int
    command: str
    kind: str
    tool: str
    signature: str
    outcome: Outcome = Outcome()
    narrow: str = ""
    distrust: str = ""
    background: bool = False
    changes: bool = False


class Shown(Record):
    """The tool call that decides something, its command or tool, and the line that says it."""

    call_id: str
    command: str = ""
    line: str = ""


class Fact(Record):
    """What a feature found: its value from 0 to 1, the call that shows it, and a clause on it."""

    value: float
    shown: Shown | None = None
    says: str = ""
