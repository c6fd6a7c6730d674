"""The files of the decision log: private, locked, and never reached through a link.

A symbolic or hard link that somebody plants in a shared folder must not make us write elsewhere,
so both are refused. The folder itself may be a link, as in homes that are kept in another place.
"""

from __future__ import annotations

import errno
import os
import stat

from groundwire.state.paths import take_lock

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
