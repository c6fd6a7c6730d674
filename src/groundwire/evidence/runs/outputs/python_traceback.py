"""A Python script that crashed: the traceback at the end of its output."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.lines import brief

_HEADER = "Traceback (most recent call last):"
_GROUP_HEADER = "Exception Group " + _HEADER
_FRAME = '  File "'
_ENDINGS = ("Error", "Exception", "Interrupt", "Exit", "Failure")
_PROGRAMS = ("python", "pypy")
_NOT_STARTED = ("can't open file '", "No module named ")


def parse(output: str) -> Outcome | None:
    """Failed when the output ends with the exception; unknown when text follows it.

    What follows may be the rest of a message of several lines, output that was written late, or
    the work of a program that caught and logged the exception.
    """
    lines = output.rstrip().split("\n")
    starts = [index for index, line in enumerate(lines) if line.endswith(_HEADER)]
    if not starts:
        return _without_header(lines)
    below = lines[starts[-1] + 1 :]
    if below and _GROUP_HEADER in lines[starts[-1]]:
        return _group(below)
    if not below or not below[0].startswith(_FRAME):
        return None
    for index, line in enumerate(below):
        if line and not line.startswith(" "):
            status = FAILED if index == len(below) - 1 else UNKNOWN
            return Outcome(status, line=brief(line)) if _is_exception(line) else None
    return None


def _is_exception(line: str) -> bool:
    """Tell whether ``line`` is "shop.RowError: text" or "KeyboardInterrupt"."""
    return line.partition(":")[0].replace(".", "").isidentifier()


def _group(lines: list[str]) -> Outcome | None:
    """An exception group stands in a box that a line of dashes closes."""
    texts = [line.strip() for line in lines]
    name = next((text[2:] for text in texts if text[:2] == "| " and text[2:3] != " "), "")
    closed = texts[-1].startswith("+---") and texts[-1].endswith("---")
    return Outcome(FAILED if closed else UNKNOWN, line=brief(name)) if name else None


def _without_header(lines: list[str]) -> Outcome | None:
    """The end of a traceback, a script that could not be compiled, found or imported."""
    last = lines[-1]
    name = last.partition(":")[0]
    is_error = _is_exception(last) and name.endswith(_ENDINGS)
    is_crash = is_error and len(lines) > 1 and lines[-2].startswith("    ")
    program = last.partition(": ")[0].rpartition("/")[2]
    is_missing = program.startswith(_PROGRAMS) and any(text in last for text in _NOT_STARTED)
    return Outcome(FAILED, line=brief(last)) if is_crash or is_missing else None
