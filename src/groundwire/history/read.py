"""Reading the history: the rows of a window, and what was none of them."""

from __future__ import annotations

import os

from groundwire.history.day_files import files_between, moments
from groundwire.history.rows import NAME_CHARACTERS, row_moment
from groundwire.json_codec import dumps, loads
from groundwire.record import Record
from groundwire.state.log_files import open_folder, open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MAX_LINE = 1 << 20  # bytes; our rows stay far below it


class Rows(Record):
    """The rows of a window, oldest first by file and place.

    ``skipped`` counts lines that are torn or no row; ``problems`` names files that cannot be read.
    """

    rows: tuple[dict[str, Any], ...] = ()
    skipped: int = 0
    problems: tuple[str, ...] = ()


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
        try:
            row: Any = loads(line) if line.endswith(b"\n") else None
        except ValueError:
            row = None
        moment = row_moment(row)
        if not moment:
            skipped += 1
        elif wanted in ("", row["agent_name"]) and first <= moment <= last:
            rows.append(row)
    return Rows(tuple(rows), skipped, tuple(problems))


def _lines(folder: str | None, since: float, until: float, problems: list[str]) -> Iterator[bytes]:
    """Yield the lines of a window's day files, oldest first; of a too long one its beginning."""
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
                with open(open_regular(folder_fd, name, os.O_RDONLY), "rb") as file:
                    inside = False  # of a line that is longer than any of ours
                    while line := file.readline(_MAX_LINE):
                        if not inside:
                            yield line
                        inside = not line.endswith(b"\n")
            except FileNotFoundError:  # deleted meanwhile
                continue
            except OSError as error:
                problems.append(f"{folder}/{name}: {_reason(error)}")
    finally:
        os.close(folder_fd)


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
