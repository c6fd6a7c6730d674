"""swift test: the results of XCTest and Swift Testing, a crash, or a build that failed."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, Outcome
from groundwire.evidence.runs.outputs import swift_build, xctest
from groundwire.evidence.runs.outputs.lines import brief

_CRASHED = (": Fatal error: ", "error: tests exited with ", "Child process terminated with signal ")


def parse(output: str) -> Outcome | None:
    """Read the results; a crash fails whatever was counted before it."""
    outcome = xctest.results(output)
    if outcome is not None and outcome.status == FAILED:
        return outcome
    for line in output.split("\n"):
        if any(mark in line for mark in _CRASHED):
            return (outcome or Outcome()).replace(status=FAILED, line=brief(line))
    if outcome is not None:
        return outcome
    built = swift_build.parse(output)
    return built if built is not None and built.status == FAILED else None
