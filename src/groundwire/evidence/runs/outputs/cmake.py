"""cmake: ``CMake Error at CMakeLists.txt:15``, ``-- Build files have been written to: ...``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs import make
from groundwire.evidence.runs.outputs.lines import brief, first_line

_FAILED = ("CMake Error", "-- Configuring incomplete, errors occurred!", "Error: could not load")
_DONE = "-- Build files have been written to: "


def parse(output: str) -> Outcome | None:
    """Read the configuration, and the build that ``cmake --build`` runs."""
    failed = first_line(output, *_FAILED)
    if failed:
        return Outcome(FAILED, line=brief(_with_reason(output, failed)))
    built = make.parse(output)
    if built is not None:
        return built
    done = first_line(output, _DONE)
    return Outcome(PASSED, line=brief(done)) if done else None


def _with_reason(output: str, failed: str) -> str:
    """Add the first line of the message, which stands indented below the place."""
    if not failed.endswith(":"):
        return failed
    below = output[output.index(failed) + len(failed) :].lstrip().partition("\n")[0]
    return f"{failed} {below.strip()}"
