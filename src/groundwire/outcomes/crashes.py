"""Readers of the ends of programs that crashed: what stands below and behind a trace decides."""

from __future__ import annotations

from groundwire.model import FAILED, UNKNOWN, Outcome
from groundwire.outcomes.clean import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_TRACE = "Traceback (most recent call last):"
_GROUP_TRACE = "Exception Group " + _TRACE
_ERROR_NAMES = ("Error", "Exception", "Interrupt", "Exit", "Failure")
_NOT_STARTED = ("can't open file '", "No module named ")


def python(lines: list[str]) -> Outcome | None:
    """Read a crash: failed when the output ends with the exception, unknown when text follows.

    What follows may be the rest of a message of several lines, output that was written late, or
    the work of a program that caught and logged the exception.
    """
    while len(lines) > 1 and not lines[-1].strip():
        lines = lines[:-1]
    starts = [index for index, line in enumerate(lines) if line.rstrip().endswith(_TRACE)]
    if not starts:
        return _end_of_trace(lines)
    below = lines[starts[-1] + 1 :]
    if below and _GROUP_TRACE in lines[starts[-1]]:
        return _group_outcome(below)
    if not below or not below[0].startswith('  File "'):
        return None
    for index, line in enumerate(below):
        if line and not line.startswith(" "):
            status = FAILED if index == len(below) - 1 else UNKNOWN
            return Outcome(status, line=brief(line)) if _is_exception(line) else None
    return None


def _is_exception(line: str) -> bool:
    """Tell whether ``line`` is "shop.RowError: text" or "KeyboardInterrupt"."""
    return line.partition(":")[0].replace(".", "").strip().isidentifier()


def _group_outcome(lines: list[str]) -> Outcome | None:
    """An exception group stands in a box that a line of dashes closes."""
    texts = [line.strip() for line in lines]
    name = next((text[2:] for text in texts if text[:2] == "| " and text[2:3] != " "), "")
    closed = texts[-1].startswith("+---") and texts[-1].endswith("---")
    return Outcome(FAILED if closed else UNKNOWN, line=brief(name)) if name else None


def _end_of_trace(lines: list[str]) -> Outcome | None:
    """Read the end of a trace, or of a script that could not be compiled, found or imported."""
    last = lines[-1].rstrip()
    is_error = _is_exception(last) and last.partition(":")[0].endswith(_ERROR_NAMES)
    is_crash = is_error and len(lines) > 1 and lines[-2].startswith("    ")
    program = last.partition(": ")[0].rpartition("/")[2]
    missing = program.startswith(("python", "pypy")) and any(one in last for one in _NOT_STARTED)
    return Outcome(FAILED, line=brief(last)) if is_crash or missing else None


def node(lines: list[str]) -> Outcome | None:
    """Read a crash: the first line that names an error and has a stack below it."""
    before = ""
    for line in lines:
        name = before.removeprefix("Uncaught ").split(":")[0].split(" [")[0]
        names_error = name.endswith(("Error", "Exception")) and " " not in name
        if line.startswith("    at ") and names_error:
            return Outcome(FAILED, line=brief(before))
        before = before if line.startswith(" ") else line
    last = next((line for line in reversed(lines) if line.strip()), "")
    return Outcome(FAILED, line=brief(last)) if last.startswith("Node.js v") else None


def ended_node(lines: list[str]) -> Outcome | None:
    """Read a crash only when the output ends as node ends after an error."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return node(lines) if last.startswith("Node.js v") else None


CRASHES: dict[str, Callable[[list[str]], Outcome | None]] = {
    reader.__name__: reader for reader in (python, node, ended_node)
}
