"""Playwright test: ``1 failed``, the names, ``1 flaky``, ``1 did not run``, ``2 passed (1.2s)``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_KEYS = frozenset("failed interrupted flaky skipped did passed error".split())
_NOTHING = "Error: No tests found"
_ERRORS = ("Error: ", "SyntaxError: ", "TypeError: ", "ReferenceError: ")
_MARK_FAILED = "\u2718 "
_RULE = "\u2500"


def parse(output: str) -> Outcome | None:
    """Read the summary, whose failures stand first and its successes last.

    ``| tail`` may so cut just the failures off. A summary with which the text begins, or that has
    names of tests without a heading above them, is therefore not taken as a success.
    """
    number: dict[str, int] = {}
    line = ""
    beginning_seen = True
    above = False
    for text in output.split("\n"):
        found = _heading(text)
        if found:
            beginning_seen = beginning_seen and (above or bool(number))
            number.update(found)
            line = text if not line or "failed" in found or not _is_failed(number) else line
        elif text.endswith(_RULE) and text.startswith("    ") and not number:
            beginning_seen = False  # a name whose heading is gone
        above = True
    if not number:
        return _without_summary(output)
    return _outcome(number, line, beginning_seen)


def _heading(text: str) -> dict[str, int]:
    """Read "  2 passed (1.2s)"; empty for any other line."""
    if not text.startswith("  ") or text[2:3] == " ":
        return {}
    found = counts(text)
    if not _KEYS.issuperset(found):
        return {}
    return found if "did" not in found or text.endswith(" did not run") else {}


def _is_failed(number: dict[str, int]) -> bool:
    return any(number.get(key) for key in ("failed", "interrupted", "error"))


def _outcome(number: dict[str, int], line: str, beginning_seen: bool) -> Outcome:
    ran = number.get("passed") or number.get("flaky")
    status = PASSED if ran and beginning_seen and not number.get("did") else UNKNOWN
    return Outcome(
        FAILED if _is_failed(number) else status,
        passed=number.get("passed"),
        failed=number.get("failed"),
        skipped=number.get("skipped"),
        errors=number.get("error"),
        line=brief(line),
    )


def _without_summary(output: str) -> Outcome | None:
    failed = first_line(output, _MARK_FAILED)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    error = next((line for line in output.split("\n") if line.startswith(_ERRORS)), "")
    if error.startswith(_NOTHING):
        return Outcome(UNKNOWN, total=0, line=brief(error))
    return Outcome(FAILED, line=brief(error)) if error else None
