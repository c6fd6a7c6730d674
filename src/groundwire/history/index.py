"""The rows of one agent in large day files, by an index that is kept beside them.

The day files alone count. The index keeps of each row what a look-up asks for, and of each file how
far it was read: what was appended since is read from there, a file that was changed otherwise from
its beginning. So a look-up costs what the rows of its own agent cost.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

from groundwire.history.read import decoded, file_lines
from groundwire.history.rows import row_moment
from groundwire.history.statistics import FEW, is_blocked
from groundwire.state.log_files import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    Run = tuple[bytes, int, str, bool, float, bool, float | None]

#: The number is that of the tables.
INDEX = ".agents-1.sqlite"
_LOCK_SECONDS = 0.2  # then the day files are read
_TAIL = 64  # bytes in front of the new rows, by which a file is known again
_TABLES = """
CREATE TABLE IF NOT EXISTS days (
    day TEXT PRIMARY KEY, inode INT, size INT, changed INT, covered INT, tail BLOB);
CREATE TABLE IF NOT EXISTS runs (
    day TEXT, agent BLOB, place INT, moment TEXT, met INT, confidence REAL, blocked INT,
    threshold REAL, PRIMARY KEY (day, agent, place)) WITHOUT ROWID;
"""
_RUNS = """
SELECT place, moment, met, confidence, blocked, threshold FROM runs
WHERE day = ? AND agent = ? AND moment BETWEEN ? AND ? ORDER BY place
"""


def indexed_runs(
    folder: str, folder_fd: int, names: list[str], agent: str, first: str, last: str
) -> list[dict[str, Any]] | None:
    """Return what look-ups ask of an agent's rows from ``first`` to ``last`` in these day files.

    None when there is no index to be had, as in a folder that cannot be written. Raises OSError for
    a day file that cannot be read.
    """
    path = os.path.join(folder, INDEX)
    rows: list[dict[str, Any]] = []
    key = _key(agent)
    try:
        os.close(open_regular(folder_fd, INDEX, os.O_RDWR | os.O_CREAT))
        with closing(sqlite3.connect(path, _LOCK_SECONDS, isolation_level=None)) as database:
            database.executescript(_TABLES)
            for name in names:
                with open(open_regular(folder_fd, name, os.O_RDONLY), "rb") as file:
                    new = _catch_up(database, name, file, os.listdir(folder_fd))
                rows += map(_row, database.execute(_RUNS, (name, key, first, last)))
                own_runs = (one for one in new if one[0] == key and first <= one[2] <= last)
                rows += (_row(one[1:]) for one in own_runs)
    except sqlite3.OperationalError:  # locked, read-only, full
        return None
    except sqlite3.DatabaseError:  # no database any more
        os.unlink(INDEX, dir_fd=folder_fd)
        return None
    return rows


def _key(agent: str) -> bytes:
    return agent.encode("utf-8", "surrogatepass")  # JSON holds what is no text, too


def _row(run: tuple[Any, ...]) -> dict[str, Any]:
    _, moment, met, confidence, blocked, threshold = run
    return {
        "timestamp": f"{moment}Z",
        "threshold_met": bool(met),
        "composite_confidence": confidence,
        "should_block": bool(blocked),
        "agent_threshold": threshold,
    }


def _catch_up(
    database: sqlite3.Connection, name: str, file: BinaryIO, present: list[str]
) -> list[Run]:
    """Put the new rows of a day file into the index; return them instead while they are few."""
    status = os.fstat(file.fileno())
    now = (status.st_ino, status.st_size, status.st_mtime_ns)
    known = _known_day(database, name)
    if known and known[:3] == now:
        return []
    start = _known_end(file, known, now) if known else 0
    if now[1] - start < FEW and (start or not known):
        return _runs(file, start)[0]
    database.execute("BEGIN IMMEDIATE")
    if _known_day(database, name) != known:  # another process was faster
        database.execute("ROLLBACK")
        return _catch_up(database, name, file, present)
    days = {day for (day,) in database.execute("SELECT day FROM days")}
    for gone in days.difference(present) | (set() if start else {name}):
        database.execute("DELETE FROM runs WHERE day = ?", (gone,))
        database.execute("DELETE FROM days WHERE day = ?", (gone,))
    runs, end = _runs(file, start)
    insert = "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    database.executemany(insert, ((name, *run) for run in runs))
    file.seek(max(0, end - _TAIL))
    tail = file.read(min(end, _TAIL))
    database.execute("REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?)", (name, *now, end, tail))
    database.execute("COMMIT")
    return []


def _known_day(database: sqlite3.Connection, name: str) -> tuple[Any, ...] | None:
    """Return inode, size and time of a day file when it was read, how far, and what stood there."""
    fields = "SELECT inode, size, changed, covered, tail FROM days WHERE day = ?"
    known: tuple[Any, ...] | None = database.execute(fields, (name,)).fetchone()
    return known


def _known_end(file: BinaryIO, known: tuple[Any, ...], now: tuple[int, int, int]) -> int:
    """Return where the new rows of a file begin that only grew; 0 for another file."""
    inode, size, _, covered, tail = known
    file.seek(max(0, covered - _TAIL))
    same = inode == now[0] and size < now[1] and file.read(min(covered, _TAIL)) == tail
    return covered if same else 0


def _runs(file: BinaryIO, start: int) -> tuple[list[Run], int]:
    """Return the rows of a file from ``start`` on, and where the last whole line ends."""
    runs: list[Run] = []
    file.seek(start)
    end = place = start
    for line in file_lines(file):
        row = decoded(line)
        moment = row_moment(row)
        if moment:
            shown = row["threshold_met"], row["composite_confidence"], is_blocked(row)
            run = (_key(row["agent_name"]), place, moment, *shown, row.get("agent_threshold"))
            runs.append(run)
        place = file.tell()
        end = place if line.endswith(b"\n") else end
    return runs, end
