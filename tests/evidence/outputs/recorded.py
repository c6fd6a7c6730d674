"""The recorded outputs beside this file: ``<tool>/<case>.txt``, made by the real tool."""

from pathlib import Path

FOLDER = Path(__file__).parent
_SOURCE = "# source: "
#: Commands whose exit status is not that of the tool.
_HIDDEN = ("|", "; echo")


def read(tool: str, case: str) -> str:
    """Return the output; a first line that names the page it comes from is not part of it."""
    text = _recorded(tool, case)
    return text.partition("\n")[2] if text.startswith(_SOURCE) else text


def _recorded(tool: str, case: str) -> str:
    # newline="" keeps the carriage returns of progress bars.
    with (FOLDER / tool / f"{case}.txt").open(encoding="utf-8", newline="") as file:
        return file.read()


def exit_status(tool: str, case: str) -> int | None:
    """Return the status in the first line "# source: COMMAND; exit status N"; None if hidden."""
    command, mark, status = _recorded(tool, case).partition("\n")[0].rpartition("; exit status ")
    return int(status) if mark and not any(text in command for text in _HIDDEN) else None
