"""nox: ``nox > Session tests was successful.`` or the list of sessions at the end."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief
from groundwire.evidence.runs.outputs.tox import with_counts

_PREFIX = "nox > "
_NOT_STARTED = ("Error while collecting sessions.", "Failed to load Noxfile")
#: "Session docs skipped: no docs yet." and, in the closing list, "* docs: skipped"
_SESSION_WORDS = (
    (" was successful", PASSED),
    (" failed", FAILED),
    (" aborted", FAILED),
    (" skipped", UNKNOWN),
)
_LIST_WORDS = {"success": PASSED, "failed": FAILED, "aborted": FAILED, "skipped": UNKNOWN}


def parse(output: str) -> Outcome | None:
    """Read the state of each session; the counts are those that pytest or unittest printed."""
    states = [
        Outcome(status, line=brief(line))
        for line in output.split("\n")
        if line.startswith(_PREFIX) and (status := _status(line[len(_PREFIX) :]))
    ]
    verdict = combine(states)
    if verdict is None or verdict.status == UNKNOWN:
        return verdict
    return with_counts(verdict, output)


def _status(text: str) -> str:
    if text.startswith(_NOT_STARTED):
        return FAILED
    if text.startswith("Session "):
        return next((status for word, status in _SESSION_WORDS if word in text), "")
    if text.startswith("* "):
        return _LIST_WORDS.get(text.rpartition(": ")[2].split(",")[0], "")
    return ""
