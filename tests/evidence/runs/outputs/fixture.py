"""The recorded outputs beside this file: ``<tool>/<case>.txt``, made by the real tool."""

from __future__ import annotations

from pathlib import Path

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome

FOLDER = Path(__file__).parent
_SOURCE = "# source: "

#: A row of a table: tool, case, what its parser must say.
Row = tuple[str, str, Outcome | None]


def read(tool: str, case: str) -> str:
    """Return the output; a first line that names the page it comes from is not part of it."""
    # newline="" keeps the carriage returns of progress bars.
    with (FOLDER / tool / f"{case}.txt").open(encoding="utf-8", newline="") as file:
        text = file.read()
    return text.partition("\n")[2] if text.startswith(_SOURCE) else text


def cases(tool: str) -> set[str]:
    """Return the names of all recorded cases of ``tool``."""
    return {path.stem for path in (FOLDER / tool).glob("*.txt")}


def missing_rows(rows: list[Row]) -> set[tuple[str, str]]:
    """Return the recorded cases of the tools of ``rows`` that have no row."""
    recorded = {(tool, case) for tool, _, _ in rows for case in cases(tool)}
    return recorded - {(tool, case) for tool, case, _ in rows}


def passed(line: str, **counts: int) -> Outcome:
    return Outcome(PASSED, line=line, **counts)


def failed(line: str, **counts: int) -> Outcome:
    return Outcome(FAILED, line=line, **counts)


def unknown(line: str, **counts: int) -> Outcome:
    return Outcome(UNKNOWN, line=line, **counts)
