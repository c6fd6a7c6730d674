"""Writing the history: a row is one locked write, and old day files go.

Whoever writes first on a day deletes what is older than the retention. The lock is the one of the
day file itself, which is never renamed.
"""

from __future__ import annotations

import os

from groundwire.history.day_files import day_name, expired
from groundwire.json_codec import dumps
from groundwire.state.log import write_line
from groundwire.state.log_files import LogError, open_folder, open_regular
from groundwire.state.paths import take_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT
_LOCK_SECONDS = 2.0  # a row takes well under a millisecond; then something is wrong


def append_row(folder: str | None, row: Mapping[str, Any], now: float, days: int) -> str:
    """Write one row to the day file of ``now``; return "", or in a few words why it did not work.

    Creates what is missing (0700, 0600). The first row of a day deletes the day files that are
    older than ``days`` days. Never raises for what the file system does.
    """
    if not folder:
        return "confidence history: there is no home folder to keep it in"
    try:
        line = dumps(row).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        return f"confidence history: the row cannot be written as JSON: {error}"
    try:
        folder_fd = open_folder(folder, create=True)
        try:
            if _append(folder_fd, day_name(now), line):
                return _clean(folder_fd, now, days)
        finally:
            os.close(folder_fd)
    except (OSError, ValueError) as error:  # ValueError: a folder name that no system takes
        return f"confidence history: {_reason(error)} in {folder}"
    return ""


def clean(folder: str, now: float, days: int) -> str:
    """Delete the day files that are older than ``days`` days; return "" or what went wrong."""
    try:
        folder_fd = open_folder(folder)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        return f"confidence history: {_reason(error)} in {folder}"
    try:
        return _clean(folder_fd, now, days)
    finally:
        os.close(folder_fd)


def _append(folder_fd: int, name: str, line: bytes) -> bool:
    """Write one line under the file's lock; tell whether it is the first. Raises OSError."""
    day_fd = open_regular(folder_fd, name, _APPEND)
    try:
        if not take_lock(day_fd, _LOCK_SECONDS):
            raise LogError(f"{name} is held by another process")
        first = os.fstat(day_fd).st_size == 0
        write_line(day_fd, line)
    finally:
        os.close(day_fd)
    return first


def _clean(folder_fd: int, now: float, days: int) -> str:
    problem = ""
    for name in expired(os.listdir(folder_fd), now, days):
        try:
            os.unlink(name, dir_fd=folder_fd)
        except FileNotFoundError:  # another process was faster
            continue
        except OSError as error:
            problem = f"confidence history: cannot delete {name}: {_reason(error)}"
    return problem


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
