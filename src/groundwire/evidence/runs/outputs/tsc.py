"""tsc (and vue-tsc): one line for each error, ``Found 3 errors`` when pretty; silent when well."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts

_PLACES = ("): error TS", " - error TS")


def parse(output: str) -> Outcome | None:
    """Read the last summary of a watch and all others; without one, the first error."""
    first_error = ""
    outcomes = []
    for line in output.split("\n"):
        if line.startswith("Found ") or " - Found " in line:  # the second has the time before it
            errors = counts(line.partition("Found ")[2]).get("error")
            if errors is not None:
                status = FAILED if errors else PASSED
                outcomes.append(Outcome(status, errors=errors, line=brief(line)))
        elif not first_error and "error TS" in line and _is_error(line):
            first_error = line
    if outcomes and "Watching for file changes" in output:
        return outcomes[-1]
    outcome = combine(outcomes)
    if outcome is None and first_error:
        return Outcome(FAILED, line=brief(first_error))
    return outcome


def _is_error(line: str) -> bool:
    return line.startswith("error TS") or any(place in line for place in _PLACES)
