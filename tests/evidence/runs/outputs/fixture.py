"""The recorded outputs beside this file: ``<tool>/<case>.txt``, made by the real tool."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
_SOURCE = "# source: "


def read(tool: str, case: str) -> str:
    """Return the output; a first line that names the page it comes from is not part of it."""
    # newline="" keeps the carriage returns of progress bars.
    with (FOLDER / tool / f"{case}.txt").open(encoding="utf-8", newline="") as file:
        text = file.read()
    return text.partition("\n")[2] if text.startswith(_SOURCE) else text


def cases(tool: str) -> set[str]:
    """Return the names of all recorded cases of ``tool``."""
    return {path.stem for path in (FOLDER / tool).glob("*.txt")}
