"""tox 3 and 4: the verdict on the environments, with the counts of the tests run in them."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs import pytest, python_unittest
from groundwire.evidence.runs.outputs.lines import brief

#: Behind the name of an environment; the second two are of tox 3.
_FAILED_MARKS = ("FAIL code ", "commands failed", "InterpreterNotFound: ")
_FAILED_STARTS = ("evaluation failed :(", "ROOT: HandledError|")
_PASSED_START = "congratulations :)"


def parse(output: str) -> Outcome | None:
    """Read the closing lines; the counts are those that pytest or unittest printed."""
    verdict = None
    for line in output.split("\n"):
        text = line.removeprefix("ERROR:").strip()
        if text.startswith(_PASSED_START):
            verdict = verdict or Outcome(PASSED, line=brief(text))
        elif text.startswith(_FAILED_STARTS) or _is_failed_environment(text):
            verdict = verdict or Outcome(FAILED, line=brief(text))
    if verdict is None:
        return None
    return with_counts(verdict, output)


def with_counts(verdict: Outcome, output: str) -> Outcome:
    """Return ``verdict`` with the counts of the tests inside; failed tests outrank a success."""
    inner = pytest.parse(output) or python_unittest.parse(output)
    if inner is None:
        return verdict
    if inner.status == FAILED:
        return inner
    return inner.replace(status=verdict.status, line=verdict.line)


def _is_failed_environment(text: str) -> bool:
    name, _, state = text.partition(": ")
    return " " not in name and state.lstrip().startswith(_FAILED_MARKS)
