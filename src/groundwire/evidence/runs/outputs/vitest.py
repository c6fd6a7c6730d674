"""vitest: ``Test Files  1 failed | 2 passed (3)``, ``Tests  1 failed | 4 passed (5)``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_FILES = "Test Files  "
_TESTS = "Tests  "
_ERRORS = "Errors  "
_NOTHING = "No test files found"
_NOT_STARTED = "failed to load config from "
_FILE_FAILED = ("FAIL  ", "\u276f ")


def parse(output: str) -> Outcome | None:
    """Read each summary; without one, a file that failed or an error before the tests."""
    outcomes: list[Outcome] = []
    files = ""
    for line in output.split("\n"):
        text = line.strip()
        if text.startswith(_FILES):
            files = text
        elif text.startswith(_TESTS) and (files or text.endswith(")")):
            outcomes.append(_outcome(text, files))
            files = ""
        elif text.startswith(_ERRORS) and outcomes:  # errors outside of any test
            errors = counts(text.removeprefix(_ERRORS)).get("error")
            outcomes[-1] = outcomes[-1].replace(status=FAILED, errors=errors, line=brief(text))
        elif text.startswith("ERROR: Coverage for ") and "threshold" in text:
            outcomes.append(Outcome(FAILED, line=brief(text)))
    return combine(outcomes) or _without_summary(output)


def _outcome(tests: str, files: str) -> Outcome:
    number = counts(tests.removeprefix(_TESTS), "|")
    broken = counts(files.removeprefix(_FILES), "|").get("failed")
    failed = number.get("failed")
    total = tests.rpartition("(")[2].rstrip(")")
    return Outcome(
        FAILED if failed or broken else PASSED if number.get("passed") else UNKNOWN,
        passed=number.get("passed"),
        failed=failed,
        skipped=number.get("skipped"),
        errors=broken if not failed else None,
        total=int(total) if total.isdigit() else None,
        line=brief(files if broken and not failed else tests),
    )


def _without_summary(output: str) -> Outcome | None:
    nothing = first_line(output, _NOTHING)
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    for line in output.split("\n"):
        text = line.strip()
        is_failed_file = text.startswith(_FILE_FAILED[1]) and " failed" in text
        if text.startswith((_FILE_FAILED[0], _NOT_STARTED)) or is_failed_file:
            return Outcome(FAILED, line=brief(text))
    return None
