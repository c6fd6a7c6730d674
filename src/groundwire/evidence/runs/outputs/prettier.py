"""prettier --check: ``All matched files use Prettier code style!`` or how many do not."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_PASSED = "All matched files use Prettier code style!"
_ISSUES = "[warn] Code style issues found in "
_ERRORS = ("[error] ", "Error occurred when checking code style in")


def parse(output: str) -> Outcome | None:
    """Read the closing line; ``failed`` is the number of files in another style.

    An error (syntax, settings, no such file) outranks the success that is printed beside it.
    """
    issues = first_line(output, _ISSUES)
    error = first_line(output, *_ERRORS)
    if issues or error:
        behind = issues.removeprefix(_ISSUES)
        failed = 1 if behind.startswith("the above file") else counts(behind).get("file")
        return Outcome(FAILED, failed=failed, line=brief(issues or error))
    passed = first_line(output, _PASSED)
    return Outcome(PASSED, line=brief(passed)) if passed else None
