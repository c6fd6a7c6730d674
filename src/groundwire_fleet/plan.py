"""Which files go into which job and task, and what became of them: plain Python, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

from groundwire_fleet.rows import UNDATED

#: Bytes of one task, unless there are too few for all cores.
TASK = 128 << 20
#: Bytes and files of one batch, which is what a killed job loses; on many cores they are more.
BATCH_BYTES, BATCH_FILES = 64 << 30, 20_000
_FILES_OF_A_TASK = 50
#: Bytes that opening a file counts as.
_OPENING = 64 << 10
_NEVER = datetime.min.replace(tzinfo=UTC)
_NOTHING = {"bytes": 0, "lines": 0, "turns": 0, "cpu_seconds": 0.0, "peak_mib": 0}


class File(NamedTuple):
    """One transcript as listed: where to read it, its name in the manifest, size, time and etag.

    ``known``: the tables have rows of it; ``same``: it has not changed since.
    """

    path: str
    key: str
    size: int
    mtime: datetime | None = None
    etag: str | None = None
    known: bool = False
    same: bool = False


#: Files that are read by one job and published together.
Batch = tuple[File, ...]


def files_of(rows: Iterable[Mapping[str, Any]]) -> list[File]:
    """Return the files of a listing, each once, by session in the order of their last change."""
    files = {row["key"]: File(**row) for row in rows}.values()
    last: dict[str, datetime] = {}
    for it in files:
        session = _session_of(it.path)
        last[session] = max(last.get(session, _NEVER), it.mtime or _NEVER)
    return sorted(files, key=lambda it: (last[one := _session_of(it.path)], one, it.key))


def batches(files: Iterable[File], cores: int) -> Iterator[Batch]:
    """Yield batches of whole sessions in this order; one fills all cores eight times, or more."""
    most_bytes = max(BATCH_BYTES, 8 * cores * TASK)
    most_files = max(BATCH_FILES, 8 * cores * _FILES_OF_A_TASK)
    part: list[File] = []
    size = 0
    for _, group in groupby(files, lambda it: _session_of(it.path)):
        session = [*group]
        more = sum(file.size for file in session)
        if part and (size + more > most_bytes or len(part) + len(session) > most_files):
            yield tuple(part)
            part, size = [], 0
        part += session
        size += more
    if part:
        yield tuple(part)


def _bytes_of_a_task(batch: Batch, cores: int) -> int:
    return max(1, min(TASK, sum(file.size for file in batch) // (4 * cores)))


def tasks(batch: Batch, cores: int) -> list[Batch]:
    """Return the files of each task, the largest task first, so that none is waited for long.

    What one session has written is in one task, and a session that fills a task has it alone.
    """
    sessions: dict[str, list[File]] = {}
    for file in batch:
        sessions.setdefault(_session_of(file.path), []).append(file)
    sized = sorted(
        ((sum(it.size + _OPENING for it in files), files) for files in sessions.values()),
        key=lambda one: -one[0],
    )
    most, left = _bytes_of_a_task(batch, cores), 0
    parts: list[list[File]] = []
    for size, files in sized:
        if size > left:
            parts.append([])
            left = most
        parts[-1] += files
        left -= size
    return [tuple(files) for files in parts]


def _session_of(path: str) -> str:
    """Return what the files of a session share: s.jsonl and s/subagents/agent-1.jsonl."""
    session, found, _ = path.partition("/subagents/")
    return session if found else path.removesuffix(".gz").removesuffix(".jsonl")


def manifest(
    batch: Batch, read: Mapping[str, Any], told: Iterable[str], hashed: Callable[[str], str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of ``files`` for a batch, and of ``errors`` for what was not read to its end.

    ``read`` are the rows that tasks gave, by source; ``told`` the sources with errors of their own;
    ``hashed`` makes a source of a key.
    """
    files, errors, known = [], [], set(told)
    for it in batch:
        source = hashed(it.key)
        row = {**_NOTHING, **read.get(source, {}), "path": it.key, "source": source}
        row |= {"size": it.size, "mtime": it.mtime, "etag": it.etag}
        row["date"] = f"{it.mtime:%Y-%m-%d}" if it.mtime else UNDATED
        files.append(row)
        why = f"only {row['bytes']} of {it.size} bytes were read"
        if source in known:
            continue
        if source not in read:
            why = "Spark did not hand it over"
        elif row["bytes"] + 1 >= it.size or it.key.endswith(".gz"):
            continue
        error = {"path": it.key, "offset": row["bytes"], "error": why, "source": source}
        errors.append(error | {"date": row["date"]})
    return files, errors
