"""gcc, clang and what speaks like them: ``src/a.c:10:43: error: ...``, the linker."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, counts

_MARKS = (": error: ", ": fatal error: ")
_LINKER = (": undefined reference to ", "ld: symbol(s) not found", ": undefined symbol: ")
_COUNTED = " generated."


def parse(output: str) -> Outcome | None:
    """Read the first error, and the counts that clang prints; gcc is silent when all is well."""
    error = ""
    counted = ""
    for line in output.split("\n"):
        if not error and is_error(line):
            error = line
        elif line.endswith(_COUNTED) and line[:1].isdigit():
            counted = line
    number = counts(counted.removesuffix(_COUNTED).replace(" and ", ", "))
    if error:
        return Outcome(FAILED, errors=number.get("error"), line=brief(error))
    # clang counts its warnings per file; an error in another file would stand above
    return Outcome(PASSED, line=brief(counted)) if number.get("warning") else None


def is_error(line: str) -> bool:
    """Tell whether ``line`` is "src/a.c:10:43: error: text", "clang: error: text" or a linker's."""
    for mark in _MARKS:
        place, found, _ = line.partition(mark)
        if found and place and " " not in place:
            return True
    return any(mark in line for mark in _LINKER)
