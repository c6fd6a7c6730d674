"""Reading the history: the rows of a window, and what was none of them."""

from __future__ import annotations

import os

from groundwire.confidence.composite.factors import agent_history_score
from groundwire.history.day_files import files_between, moments
from groundwire.history.rows import NAME_CHARACTERS, row_moment
from groundwire.json_codec import dumps, loads
from groundwire.record import Record
from groundwire.state.log_files import open_folder, open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_HOUR = 3_600
_MAX_LINE = 1 << 20  # bytes; our rows stay far below it


class Rows(Record):
    """The rows of a window, oldest first by file and place.

    ``skipped`` counts lines that are torn or no row; ``problems`` names files that cannot be read.
    """

    rows: tuple[dict[str, Any], ...] = ()
    skipped: int = 0
    problems: tuple[str, ...] = ()


class HistoryScore(Record):
    """What an agent's history says, 0-1, with the numbers behind it."""

    score: float
    met: int = 0
    total: int = 0
    skipped: int = 0
    problems: tuple[str, ...] = ()
    counts: bool = False  # there are as many runs as it takes

    def why(self, hours: float) -> str:
        """Return where the score comes from, in a few words."""
        if not self.total:
            return f"no runs of this agent in the last {hours:g} hours"
        return f"{self.met} of {self.total} runs met their threshold in the last {hours:g} hours"


def read_rows(folder: str | None, since: float, until: float, agent_name: str = "") -> Rows:
    """Return the rows from ``since`` to ``until``, both included; of one agent if it is named.

    The name must be exactly the same; lines that do not hold it are neither decoded nor counted as
    skipped. Reads only the day files that the window touches. No folder and no file mean no rows;
    never raises for what the file system does.
    """
    rows: list[dict[str, Any]] = []
    problems: list[str] = []
    skipped = 0
    wanted = agent_name[:NAME_CHARACTERS]
    first, last = moments(since, until)
    # as our rows write it, and as another writer may; whole, so that the rows of an agent "a-10"
    # cost nothing to one "a-1"
    written, plain = dumps(wanted).encode(), f'"{wanted}"'.encode("utf-8", "replace")
    if not wanted:
        written = plain = b""
    for line in _lines(folder, since, until, problems):
        if written not in line and plain not in line:
            continue
        row = _decoded(line)
        moment = row_moment(row)
        if not moment:
            skipped += 1
        elif wanted in ("", row["agent_name"]) and first <= moment <= last:
            rows.append(row)
    return Rows(tuple(rows), skipped, tuple(problems))


def history_score(
    folder: str | None, agent_name: str, now: float, hours: float, least: int = 0
) -> HistoryScore:
    """Return the share of the agent's runs in the last ``hours`` that met their threshold.

    0.5 without runs, or with fewer than ``least``.
    """
    found = read_rows(folder, now - hours * _HOUR, now, agent_name)
    met, total = sum(row["threshold_met"] for row in found.rows), len(found.rows)
    score = agent_history_score(met, total, least)
    counts = total >= max(1, least)
    return HistoryScore(score, met, total, found.skipped, found.problems, counts)


def _decoded(line: bytes) -> Any:
    try:
        return loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None


def _lines(folder: str | None, since: float, until: float, problems: list[str]) -> Iterator[bytes]:
    """Yield the lines of all day files of a window, oldest file first."""
    if not folder:
        return
    try:
        folder_fd = open_folder(folder)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a folder name that no system takes
        problems.append(f"{folder}: {_reason(error)}")
        return
    try:
        for name in files_between(os.listdir(folder_fd), since, until):
            try:
                yield from _file_lines(open_regular(folder_fd, name, os.O_RDONLY))
            except FileNotFoundError:  # deleted meanwhile
                continue
            except OSError as error:
                problems.append(f"{folder}/{name}: {_reason(error)}")
    finally:
        os.close(folder_fd)


def _file_lines(day_fd: int) -> Iterator[bytes]:
    """Yield the lines of an open file; of one that is too long only its beginning."""
    inside = False  # of a line that is longer than any of ours
    with open(day_fd, "rb") as file:
        while line := file.readline(_MAX_LINE):
            continued, inside = inside, not line.endswith(b"\n")
            if not continued:
                yield line


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
