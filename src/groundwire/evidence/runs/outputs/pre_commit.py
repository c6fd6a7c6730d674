"""pre-commit: one line for each hook, filled with dots and ended by its state."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.lines import brief, first_line

_STATES = ("Passed", "Failed", "Skipped")
_BROKEN = ("An error has occurred:", "An unexpected error has occurred:", "No hook with id `")
#: Below a hook that failed.
_REASONS = ("- exit code: ", "- files were modified by this hook")


def parse(output: str) -> Outcome | None:
    """Count the hooks by state; without their lines, read the reasons below them."""
    broken = first_line(output, *_BROKEN)
    if broken:
        return Outcome(FAILED, line=brief(broken))
    hooks = [line for line in output.split("\n") if "..." in line and line.endswith(_STATES)]
    states = [next(state for state in _STATES if line.endswith(state)) for line in hooks]
    passed, failed, skipped = (states.count(state) for state in _STATES)
    line = hooks[states.index("Failed")] if failed else first_line(output, *_REASONS)
    if line:
        return Outcome(FAILED, passed, failed or None, skipped, line=brief(line))
    if not hooks:
        return None
    return Outcome(PASSED if passed else UNKNOWN, passed, failed, skipped, line=brief(hooks[-1]))
