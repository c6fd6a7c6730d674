"""A JavaScript program that crashed: the error and its stack, then ``Node.js v20.20.2``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, Outcome
from groundwire.evidence.runs.outputs import node_test
from groundwire.evidence.runs.outputs.lines import brief

_VERSION = "Node.js v"
_STACK = "    at "


def parse(output: str) -> Outcome | None:
    """Failed when the output ends as node ends after an error; else what ``node --test`` says."""
    last = output.rstrip().rpartition("\n")[2]
    if not last.startswith(_VERSION):
        return node_test.parse(output)
    return uncaught(output) or Outcome(FAILED, line=brief(last))


def uncaught(output: str) -> Outcome | None:
    """Failed with the first line that has a stack below it and names an error."""
    before = ""
    for line in output.split("\n"):
        if line.startswith(_STACK) and _names_error(before):
            return Outcome(FAILED, line=brief(before))
        if not line.startswith(" "):
            before = line
    return None


def _names_error(line: str) -> bool:
    name = line.removeprefix("Uncaught ").split(":")[0].split(" [")[0]
    return name.endswith(("Error", "Exception")) and " " not in name
