"""swift build: ``Build complete! (6.77 secs.)`` or ``Sources/A.swift:61:40: error: ...``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.gcc import is_error
from groundwire.evidence.runs.outputs.lines import brief

_ERROR = "error: "
_TESTS = ("Test Suite '", "\u25c7 Test run started.")
_DONE = ("Build complete!", "Compile complete!")
_PRODUCT_DONE = ("Build of product '", "Build of target: '")


def parse(output: str) -> Outcome | None:
    """Read the build alone. None when tests follow it, so that these are not taken for well."""
    done = ""
    for line in output.split("\n"):
        if line.startswith(_TESTS):
            return None
        if line.startswith(_ERROR) or is_error(line):
            return Outcome(FAILED, line=brief(line))
        if line.startswith(_DONE) or (line.startswith(_PRODUCT_DONE) and "complete!" in line):
            done = line
    return Outcome(PASSED, line=brief(done)) if done else None
