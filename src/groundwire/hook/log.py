"""Writing the decision log: one JSON line per decision, private files, rotated by size.

A symbolic or hard link that somebody plants in a shared folder must not make us write elsewhere,
so both are refused. The folder itself may be a link, as in homes that are kept in another place.

``decisions.jsonl`` in the state folder is the newest file, ``decisions.1.jsonl`` the one before.
Several hooks may write at once, so everything happens under a lock, and a line is one write.
"""

from __future__ import annotations

import errno
import os
import stat

from groundwire.base.json_codec import dumps
from groundwire.base.paths import take_lock
from groundwire.base.settings import Log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


CURRENT = "decisions.jsonl"
LOCK = "decisions.lock"
LOCK_SECONDS = 2.0  # a line takes well under a millisecond; then something is wrong
READER_SECONDS = 10.0  # nobody's turn waits for a reader


class LogError(OSError):
    """A reason of our own for not touching a file; its text names the file."""


def open_folder(path: str, create: bool = False) -> int:
    """Return a folder opened; ``create`` makes what is missing of its path, all 0700.

    Raises OSError, also where there are no locks.
    """
    if os.name != "posix":
        raise LogError("file locks need a POSIX system")
    if create:
        _make_folders(path)
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY)


def _make_folders(path: str) -> None:
    missing = []
    at = os.path.abspath(path)
    while not os.path.lexists(at):
        missing.append(at)
        at = os.path.dirname(at)
    for each in reversed(missing):
        try:  # noqa: SIM105 - contextlib is too slow to import in the hook
            os.mkdir(each, 0o700)
        except FileExistsError:  # another hook was faster
            pass


def open_regular(folder_fd: int, name: str, flags: int) -> int:
    """Open a regular file of a folder; a new one is 0600. Raises OSError for anything else."""
    try:
        # O_NONBLOCK: a planted named pipe must not make us wait for its other end.
        safe = flags | os.O_NOFOLLOW | os.O_NONBLOCK
        opened = os.open(name, safe, 0o600, dir_fd=folder_fd)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise LogError(f"{name} is a symbolic link") from None
        raise
    status = os.fstat(opened)
    if stat.S_ISREG(status.st_mode) and status.st_nlink <= 1:
        return opened
    os.close(opened)
    what = "has a second name, a hard link" if stat.S_ISREG(status.st_mode) else "is no file"
    raise LogError(f"{name} {what}")


class Locked:
    """Holds the lock of a log folder: exclusively to write, shared to read what was written.

    The lock belongs to the opened file, so threads exclude each other too, and the system frees
    it when a process is killed. Entering raises OSError when it cannot be had in time; a reader
    does not make the lock where there is none.
    """

    __slots__ = ("_folder_fd", "_lock_fd", "_shared")

    def __init__(self, folder_fd: int, shared: bool = False) -> None:
        self._folder_fd = folder_fd
        self._shared = shared
        self._lock_fd = -1

    def __enter__(self) -> None:
        flags = os.O_RDONLY if self._shared else os.O_RDWR | os.O_CREAT
        self._lock_fd = open_regular(self._folder_fd, LOCK, flags)
        seconds = READER_SECONDS if self._shared else LOCK_SECONDS
        try:
            if not take_lock(self._lock_fd, seconds, shared=self._shared):
                raise LogError(f"{LOCK} is held by another process")
        except OSError:
            os.close(self._lock_fd)
            raise

    def __exit__(self, *_: object) -> None:
        os.close(self._lock_fd)


_PREFIX, _SUFFIX = "decisions.", ".jsonl"


def rotated_name(number: int) -> str:
    """Return the name of an older file; 1 is the youngest of them."""
    return f"{_PREFIX}{number}{_SUFFIX}"


def rotated_numbers(folder_fd: int) -> list[int]:
    """Return the numbers of the older files that are there, ascending."""
    numbers = []
    for name in os.listdir(folder_fd):
        digits = name[len(_PREFIX) : -len(_SUFFIX)]
        if digits.isdecimal() and len(digits) < 10 and name == rotated_name(int(digits)):
            numbers.append(int(digits))
    return sorted(number for number in numbers if number)


def rotate(folder_fd: int, keep: int) -> None:
    """Make the current file number 1 and keep at most ``keep`` older ones. Raises OSError.

    Only under the lock. The current file goes last: when something fails or the process is
    killed before, lines are at most in a file with a higher number.
    """
    numbers = rotated_numbers(folder_fd)
    for number in numbers:
        if number > keep:
            os.unlink(rotated_name(number), dir_fd=folder_fd)
    if keep < 1:
        os.unlink(CURRENT, dir_fd=folder_fd)
        return
    free = next((number for number in range(1, keep) if number not in numbers), keep)
    for number in range(free - 1, 0, -1):
        _rename(folder_fd, rotated_name(number), rotated_name(number + 1))
    _rename(folder_fd, CURRENT, rotated_name(1))


def _rename(folder_fd: int, old: str, new: str) -> None:
    os.replace(old, new, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)


_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT
MAX_LINE = 1 << 20  # bytes; our lines stay far below it


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
    if len(line) > MAX_LINE:
        return f"decision log: the record is too long, {len(line)} bytes"
    try:
        folder_fd = open_folder(folder, create=True)
        try:
            with Locked(folder_fd):
                return _append_locked(folder_fd, line, settings)
        finally:
            os.close(folder_fd)
    except (OSError, ValueError) as error:  # ValueError: a folder name that no system takes
        return f"decision log: {reason_of(error)} in {folder}"


def _append_locked(folder_fd: int, line: bytes, settings: Log) -> str:
    problem = ""
    log_fd = open_regular(folder_fd, CURRENT, _APPEND)
    try:
        size = os.fstat(log_fd).st_size
        if size and size + len(line) > settings.max_bytes:
            try:
                rotate(folder_fd, settings.keep)
            except OSError as error:
                problem = f"decision log: cannot rotate: {reason_of(error)}"
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


def reason_of(error: Exception) -> str:
    """Return what the system says of an error, in a few words."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
