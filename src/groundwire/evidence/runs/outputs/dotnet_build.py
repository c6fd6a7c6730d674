"""dotnet build: ``Build succeeded.``, ``1 Error(s)``, ``Build failed with 1 error(s) in 0.9s``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief, is_number

_FAILED = "Build FAILED."
_FAILED_WITH = "Build failed with "
_DONE = "Build succeeded"
_ERRORS = " Error(s)"
_CODES = ("CS", "MSB", "NU", "NETSDK", "FS", "BC", "CA", "IDE", "SA", "RZ", "XA", "AD")


def parse(output: str) -> Outcome | None:
    """Read the end of the build; the line of a failed one is its first error."""
    error = failed = done = ""
    number: int | None = None
    for line in output.split("\n"):
        text = line.strip()
        if text.startswith((_FAILED, _FAILED_WITH)):
            failed = text
        elif text.startswith(_DONE):
            done = text
        elif _is_error(text):
            error = error or text
        if text.startswith(_FAILED_WITH) or text.endswith(_ERRORS):
            number = _number(text)
            failed = failed or (text if number else "")
    if failed or error:
        return Outcome(FAILED, errors=number, line=brief(error or failed))
    return Outcome(PASSED, errors=number, line=brief(done)) if done else None


def _is_error(text: str) -> bool:
    """Tell whether ``text`` is "/src/A.cs(104,157): error CS0103: ..." or "MSBUILD : error ..."."""
    code = text.partition(": error ")[2].partition(":")[0]
    return code.startswith(_CODES) and code[-1:].isdigit()


def _number(text: str) -> int | None:
    """Read "1 Error(s)" and "Build failed with 1 error(s) and 2 warning(s) in 0.9s"."""
    words = text.lower().partition(_ERRORS.lower())[0].split()
    return int(words[-1]) if words and is_number(words[-1]) else None
