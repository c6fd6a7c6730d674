"""eslint: ``5 problems (3 errors, 2 warnings)`` behind a cross; silent when all is well."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line

_SUMMARY = "\u2716 "
_CRASHED = "Oops! Something went wrong! :("
_VERSION = "ESLint: "
_TOO_MANY = "ESLint found too many warnings"


def parse(output: str) -> Outcome | None:
    """Read the summaries (errors fail, warnings do not), or why it did not run."""
    lines = output.split("\n")
    if first_line(output, _CRASHED):
        return Outcome(FAILED, line=brief(_cause(lines)))
    too_many = first_line(output, _TOO_MANY)
    summaries = [line.strip() for line in lines if line.lstrip().startswith(_SUMMARY)]
    outcome = combine([_outcome(line) for line in summaries if " problem" in line])
    if too_many:
        return (outcome or Outcome()).replace(status=FAILED, line=brief(too_many))
    if outcome is None:
        finding = next((line for line in lines if _is_error(line)), "")
        return Outcome(FAILED, line=brief(finding)) if finding else None
    return outcome


def _outcome(line: str) -> Outcome:
    errors = counts(line.rpartition("(")[2]).get("error")
    return Outcome(FAILED if errors else PASSED, errors=errors, line=brief(line))


def _cause(lines: list[str]) -> str:
    """Return the first line below the version."""
    below = [line for line in lines if line.strip()]
    starts = [index for index, line in enumerate(below) if line.startswith(_VERSION)]
    return below[starts[0] + 1] if starts and starts[0] + 1 < len(below) else _CRASHED


def _is_error(line: str) -> bool:
    """Tell whether ``line`` is "  3:7  error  text", as the default form prints them."""
    words = line.split(None, 2)
    if len(words) < 3 or words[1] != "error":
        return False
    row, colon, column = words[0].partition(":")
    return bool(colon) and row.isdigit() and column.isdigit()
