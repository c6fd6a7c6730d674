"""Maven: ``Tests run: 3, Failures: 0, Errors: 0, Skipped: 1`` and ``BUILD SUCCESS``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, is_number

_RUN = "Tests run: "
_OF_CLASS = ", Time elapsed: "
_ERROR = "[ERROR] "
#: Lines that say nothing of the cause: a heading, and the advice at the end.
_UNTOLD = ("COMPILATION ERROR", "To see the full stack", "Re-run Maven using", "For more inform")
_SUCCESS = "BUILD SUCCESS"
_FAILURE = "BUILD FAILURE"
_SKIPPED = ("Tests are skipped.", "No tests to run.")


def parse(output: str) -> Outcome | None:
    """Read the tests of all modules and the end of the build: either can fail alone.

    A build that passed over its tests is passed, with ``total`` 0.
    """
    lines = output.split("\n")
    tests = [line for line in lines if _RUN in line]
    summaries = [line for line in tests if _OF_CLASS not in line] or tests
    outcome = combine([_tests(line) for line in summaries])
    if outcome is not None and outcome.status == FAILED:
        return outcome
    error = _error(lines)
    if error:
        return (outcome or Outcome()).replace(status=FAILED, line=brief(error))
    success = next((line for line in lines if line.endswith(_SUCCESS)), "")
    if outcome is not None or not success:
        return outcome
    skipped = any(line.endswith(_SKIPPED) for line in lines)
    return Outcome(PASSED, total=0 if skipped else None, line=brief(success))


def _tests(line: str) -> Outcome:
    number: dict[str, int] = {}
    for part in line[line.index(_RUN) :].partition(" <<<")[0].split(", "):
        name, _, value = part.partition(": ")
        if is_number(value):
            number[name] = int(value)
    total, failed, errors = (number.get(key) for key in ("Tests run", "Failures", "Errors"))
    skipped = number.get("Skipped")
    return Outcome(
        FAILED if failed or errors else UNKNOWN if total == (skipped or 0) else PASSED,
        failed=failed,
        skipped=skipped,
        errors=errors,
        total=total,
        line=brief(line),
    )


def _error(lines: list[str]) -> str:
    """Return the first error with a text, when the build failed or no end of it is to be seen."""
    if not any(line.endswith(_FAILURE) or line.startswith(_ERROR) for line in lines):
        return ""
    if any(line.endswith(_SUCCESS) for line in lines):  # errors that were told to be ignored
        return ""
    for line in lines:
        text = line.removeprefix(_ERROR).strip()
        if line.startswith(_ERROR) and text and not text.startswith(_UNTOLD):
            return line
    return next(line for line in lines if line.endswith(_FAILURE) or line.startswith(_ERROR))
