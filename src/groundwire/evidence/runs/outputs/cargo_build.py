"""cargo build, check, clippy: ``Finished``, ``error: could not compile ... due to 2 errors``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts

_NOT_COMPILED = "error: could not compile "
_ERROR = "error: "
_FINISHED = "    Finished `"
_FINISHED_TESTS = "    Finished `test`"
_WARNED = " generated "
#: Errors of a later ``cargo test`` whose beginning is cut off.
_OF_TESTS = ("error: test ", "error: doctest failed", "error: no tests to run")
#: Behind these lines the output is that of tests.
_TESTS = ("running ", "     Running unittests ", "   Doc-tests ", " Nextest run ID ")
_PROGRAM = "     Running `"  # of cargo run: what it does is not told by its build


def parse(output: str) -> Outcome | None:
    """Read the compilation alone; what tests print behind it does not count.

    The line of a build with warnings is the one that counts them. None when it is that of tests or
    of a program that ran, so that these are not taken for well because they were compiled.
    """
    error = finished = warned = ""
    for line in output.split("\n"):
        if line.startswith(_PROGRAM):
            return None
        if line.startswith(_TESTS):
            break
        if line.startswith(_NOT_COMPILED):
            return not_compiled(line)
        if line.startswith(_ERROR) and not line.startswith(_OF_TESTS):
            error = error or line
        elif line.startswith("warning: `") and _WARNED in line:
            warned = line
        elif line.startswith(_FINISHED) and not line.startswith(_FINISHED_TESTS):
            finished = line
    if error:  # of the compiler, cut before its last line, or of cargo itself
        return Outcome(FAILED, line=brief(error))
    return Outcome(PASSED, line=brief(warned or finished)) if finished else None


def not_compiled(line: str) -> Outcome:
    """Read "error: could not compile `shop` (lib) due to 2 previous errors; 1 warning emitted"."""
    number = counts(line.rpartition(" due to ")[2].replace("previous ", ""), ";")
    return Outcome(FAILED, errors=number.get("error"), line=brief(line))
