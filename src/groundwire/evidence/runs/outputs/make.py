"""make, ninja and ``cmake --build``: the target that failed, or the end of the build."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.gcc import is_error
from groundwire.evidence.runs.outputs.lines import brief, is_number

_STOPPED = ": *** "
_NINJA_FAILED = ("ninja: error: ", "ninja: fatal: ", "ninja: build stopped: ", "FAILED: ")
_NINJA_DONE = "ninja: no work to do."
_NOTHING = (": Nothing to be done for ", "' is up to date.")
_BUILT = "[100%] Built target "


def parse(output: str) -> Outcome | None:
    """Read why the build stopped (the compiler's error, else the target), or its last step.

    ``make`` itself prints nothing when it succeeds. A target that is up to date ran nothing.
    """
    error = stopped = done = nothing = ""
    for line in output.split("\n"):
        if is_stop(line):
            stopped = stopped or line
        elif is_error(line):
            error = error or line
        elif line.startswith((_BUILT, _NINJA_DONE)) or _is_last_step(line):
            done = line
        elif line.startswith(("make", "gmake")) and any(text in line for text in _NOTHING):
            nothing = line
    if stopped:
        return Outcome(FAILED, line=brief(error or stopped))
    if done:
        return Outcome(PASSED, line=brief(done))
    return Outcome(UNKNOWN, total=0, line=brief(nothing)) if nothing else None


def is_stop(line: str) -> bool:
    """Tell whether ``line`` is "make: *** [Makefile:6: test] Error 1" or ninja's like."""
    if line.startswith(_NINJA_FAILED):
        return True
    program, mark, _ = line.partition(_STOPPED)
    name = program.partition("[")[0].partition(":")[0]
    # "Makefile:2: *** missing separator.  Stop." names the file instead
    return bool(mark) and (name in ("make", "gmake") or line.endswith("Stop."))


def _is_last_step(line: str) -> bool:
    """Tell whether ``line`` is step "[8/8] ..." of ninja."""
    if not line.startswith("["):
        return False
    done, slash, total = line[1:].partition("]")[0].partition("/")
    return bool(slash) and is_number(total) and done == total
