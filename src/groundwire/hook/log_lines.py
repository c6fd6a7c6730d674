"""Reading the decision log as a whole, while hooks may go on writing it."""

from __future__ import annotations

import os

from groundwire.base.json_codec import loads
from groundwire.hook.log import (
    CURRENT,
    LOCK,
    MAX_LINE,
    Locked,
    LogError,
    open_folder,
    open_regular,
    reason_of,
    rotated_name,
    rotated_numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO


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
            while left > 0 and (line := file.readline(min(left, MAX_LINE))):
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
        problems.append(f"{folder}: {reason_of(error)}")
        return []
    try:
        return _consistent_files(folder_fd, problems)
    finally:
        os.close(folder_fd)


def _consistent_files(folder_fd: int, problems: list[str]) -> list[tuple[BinaryIO, int]]:
    if not _has_lock(folder_fd):  # a copy of a log, or no hook has written yet
        unlocked_problems: list[str] = []
        files = _open_files(folder_fd, unlocked_problems)
        if not _has_lock(folder_fd):
            problems += unlocked_problems
            return files
        for file, _ in files:  # a hook began meanwhile and may have rotated what was listed
            file.close()
    try:
        with Locked(folder_fd, shared=True):
            return _open_files(folder_fd, problems)
    except OSError as error:
        problems.append(f"read without the lock: {reason_of(error)}")
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
            problems.append(reason_of(error) if isinstance(error, LogError) else f"{name}: {error}")
            continue
        files.append((file, os.fstat(file.fileno()).st_size))
    return files


def _has_lock(folder_fd: int) -> bool:
    """Tell whether somebody made the lock of a log folder, as everyone does before writing."""
    try:
        os.stat(LOCK, dir_fd=folder_fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
