"""What is known of one command of the turn that can pass or fail."""

from __future__ import annotations

from groundwire.record import Record

PASSED = "passed"
FAILED = "failed"
UNKNOWN = "unknown"

TEST = "test"
BUILD = "build"
LINT = "lint"
FORMAT = "format"
TYPES = "types"
INSTALL = "install"
GIT = "git"
OTHER = "other"
RUN_KINDS = (TEST, BUILD, LINT, FORMAT, TYPES, INSTALL, GIT, OTHER)


class Outcome(Record):
    """What an output says: ``status``, counts as printed (None: not printed), the deciding line."""

    status: str = UNKNOWN
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None
    total: int | None = None
    line: str = ""


class Run(Record):
    """One command in the order of the turn, with its outcome.

    ``index`` is the position of its tool call. ``signature`` names what is the same command in
    another spelling: its last outcome counts. ``narrow`` says why it covers a part only (one file,
    ``-k``), ``distrust`` why the exit status says nothing; both are empty otherwise.
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
