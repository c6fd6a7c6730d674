"""docker build: ``naming to ... done``, ``Successfully built``, ``ERROR: failed to solve: ...``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, Outcome
from groundwire.evidence.runs.outputs.lines import brief

_FAILED = (
    "ERROR: failed to ",
    "ERROR: unable to ",
    "ERROR: Cannot connect ",
    "ERROR: resolve : ",
    "failed to solve",
    "failed to compute cache key",
    "failed to read dockerfile",
    "executor failed running ",
    "Cannot connect to the Docker daemon ",
    "error during connect: ",
    "Error response from daemon: ",
    "unable to prepare context: ",
    "Error: buildx ",
)
_STEP = "The command '"
_STEP_END = " returned a non-zero code: "
_DONE = ("Successfully built ", "Successfully tagged ")
_NAMED = ("naming to ", "writing image ")


def parse(output: str) -> Outcome | None:
    """Read the last error of the builder, else the image that was written."""
    failed = done = ""
    for line in output.split("\n"):
        text = line.strip()
        if text.startswith(_FAILED) or (text.startswith(_STEP) and _STEP_END in text):
            failed = text
        elif text.startswith(_DONE) or (_named(text) and text.endswith((" done", "s"))):
            done = text
    if failed:
        return Outcome(FAILED, line=brief(failed))
    return Outcome(PASSED, line=brief(done)) if done else None


def _named(text: str) -> bool:
    """Tell whether ``text`` is "#7 naming to shop done" or "=> => naming to shop   0.0s"."""
    if text.startswith("#"):
        text = text.partition(" ")[2]
    return text.lstrip("=> ").startswith(_NAMED)
