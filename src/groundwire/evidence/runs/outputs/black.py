"""black: ``1 file would be reformatted, 2 files would be left unchanged.``"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, first_line, is_number

_NOTHING = ("No Python files are present", "No Path provided.")
_BROKEN = ("error: cannot format", "Error: Invalid value for", "Oh no!")
#: What a summary counts, and the field it belongs to.
_WORDS = (
    ("would be reformatted", "failed"),
    ("failed to reformat", "errors"),
    ("fail to reformat", "errors"),
    ("left unchanged", "passed"),
    ("already formatted", "passed"),
    ("reformatted", "changed"),
)


def parse(output: str) -> Outcome | None:
    """Read the summaries; ``failed`` is the number of files that are not formatted."""
    lines = [line for line in output.split("\n") if line.endswith(".")]  # ruff's have no dot
    outcome = combine([found for line in lines if (found := file_summary(line))])
    if outcome is not None:
        return outcome
    broken = first_line(output, *_BROKEN)
    if broken:
        return Outcome(FAILED, line=brief(broken))
    nothing = first_line(output, *_NOTHING)
    return Outcome(UNKNOWN, total=0, line=brief(nothing)) if nothing else None


def file_summary(line: str) -> Outcome | None:
    """Read the closing line of black and of ``ruff format``; None for any other line."""
    if not line[:1].isdigit() or " file" not in line:
        return None
    number: dict[str, int] = {}
    for part in line.rstrip(". ").split(", "):
        amount, _, what = part.partition(" ")
        field = next((field for words, field in _WORDS if what.endswith(words)), "")
        if not field or not is_number(amount) or not what.startswith("file"):
            return None
        number[field] = int(amount)
    failed, errors = number.get("failed"), number.get("errors")
    status = FAILED if failed or errors else PASSED
    return Outcome(status, number.get("passed"), failed, errors=errors, line=brief(line))
