"""The decision log: one JSON line per decision, for people and for later tools.

``decisions.jsonl`` in the state folder is the newest file, ``decisions.1.jsonl`` the one before.
Several hooks may write at once, so everything happens under a lock, and a line is one write.
"""

from __future__ import annotations

import os

from groundwire.json_codec import dumps, loads
from groundwire.settings import Log
from groundwire.state.log_files import (
    CURRENT,
    Locked,
    LogError,
    has_lock,
    open_folder,
    open_regular,
    rotate,
    rotated_name,
    rotated_numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, BinaryIO

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT
_MAX_LINE = 1 << 20  # bytes; our lines stay far below it


def append(folder: str | None, record: Mapping[str, Any], settings: Log) -> str:
    """Write one record as one line and return "", or in a few words why that did not work.

    Creates ``folder`` (0700) and the file (0600) when missing, and rotates before the file would
    grow beyond ``settings.max_bytes``. A failure to rotate is returned although the line was
    written. Never raises for what the file system does.
    """
    if not settings.enabled:
        return ""
    if not folder:
        return "decision log: there is no state folder, HOME is not set"
    try:
        line = dumps(record).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        return f"decision log: the record cannot be written as JSON: {error}"
    if len(line) > _MAX_LINE:
        return f"decision log: the record is too long, {len(line)} bytes"
    try:
        folder_fd = open_folder(folder, create=True)
        try:
            with Locked(folder_fd):
                return _append_locked(folder_fd, line, settings)
        finally:
            os.close(folder_fd)
    except (OSError, ValueError) as error:  # ValueError: a folder name that no system takes
        return f"decision log: {_reason(error)} in {folder}"


def _append_locked(folder_fd: int, line: bytes, settings: Log) -> str:
    problem = ""
    log_fd = open_regular(folder_fd, CURRENT, _APPEND)
    try:
        size = os.fstat(log_fd).st_size
        if size and size + len(line) > settings.max_bytes:
            try:
                rotate(folder_fd, settings.keep)
            except OSError as error:
                problem = f"decision log: cannot rotate: {_reason(error)}"
            else:
                fresh = open_regular(folder_fd, CURRENT, _APPEND)
                os.close(log_fd)
                log_fd = fresh
        write_line(log_fd, line)
    finally:
        os.close(log_fd)
    return problem


def write_line(log_fd: int, line: bytes) -> None:
    """Append one line with one write; what a full disk leaves of it is taken back.

    A last line without its end, left by a killed process, is closed first. Raises OSError.
    """
    size = os.fstat(log_fd).st_size
    if size and os.pread(log_fd, 1, size - 1) != b"\n":
        line = b"\n" + line
    written = os.write(log_fd, line)
    if written < len(line):
        os.ftruncate(log_fd, size)
        raise LogError("no space for a whole line")


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def read_log(folder: str) -> LogLines:
    """Return the records of a state folder, oldest first; no folder means no records."""
    return LogLines(folder)


class LogLines:
    """Iterates over log records and counts what was none.

    Shows the log as it was when reading began: what is written or rotated meanwhile neither
    doubles nor hides a line. ``skipped`` counts lines that are torn or not ours, ``problems``
    says in words which files could not be read; both are complete when the iteration is.
    """

    def __init__(self, folder: str) -> None:
        self.skipped = 0
        self.problems: list[str] = []
        self._lines = _lines(folder, self.problems)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self

    def __next__(self) -> dict[str, Any]:
        for line in self._lines:
            record = record_of(line)
            if record is not None:
                return record
            self.skipped += 1
        raise StopIteration


def record_of(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line; None when it is torn, garbled or written by somebody else."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and "id" in record else None


def _lines(folder: str, problems: list[str]) -> Iterator[bytes]:
    """Yield the lines of all files, oldest first; one that is too long only by its beginning."""
    files = snapshot(folder, problems)
    try:
        for file, size in files:
            left = size
            inside = False  # of a line that is longer than any of ours
            while left > 0 and (line := file.readline(min(left, _MAX_LINE))):
                left -= len(line)
                continued, inside = inside, not line.endswith(b"\n")
                if not continued:
                    yield line
    finally:
        for file, _ in files:
            file.close()


def snapshot(folder: str, problems: list[str]) -> list[tuple[BinaryIO, int]]:
    """Return every file opened, with its size in bytes at this moment, oldest first.

    The caller closes them. What could not be read goes to ``problems``, in words.
    """
    try:
        folder_fd = open_folder(folder)
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        problems.append(f"{folder}: {_reason(error)}")
        return []
    try:
        return _consistent_files(folder_fd, problems)
    finally:
        os.close(folder_fd)


def _consistent_files(folder_fd: int, problems: list[str]) -> list[tuple[BinaryIO, int]]:
    if not has_lock(folder_fd):  # a copy of a log, or no hook has written yet
        found: list[str] = []
        files = _open_files(folder_fd, found)
        if not has_lock(folder_fd):
            problems += found
            return files
        for file, _ in files:  # a hook began meanwhile and may have rotated what was listed
            file.close()
    try:
        with Locked(folder_fd, shared=True):
            return _open_files(folder_fd, problems)
    except OSError as error:
        problems.append(f"read without the lock: {_reason(error)}")
        return _open_files(folder_fd, problems)


def _open_files(folder_fd: int, problems: list[str]) -> list[tuple[BinaryIO, int]]:
    names = [rotated_name(number) for number in reversed(rotated_numbers(folder_fd))]
    files: list[tuple[BinaryIO, int]] = []
    for name in [*names, CURRENT]:
        try:
            file = os.fdopen(open_regular(folder_fd, name, os.O_RDONLY), "rb")
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(_reason(error) if isinstance(error, LogError) else f"{name}: {error}")
            continue
        files.append((file, os.fstat(file.fileno()).st_size))
    return files
