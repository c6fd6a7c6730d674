"""The history of composite confidences: day files of JSON lines, and writing them.

Times are seconds since the epoch; timestamps are UTC with a ``Z`` at the end.

Whoever writes first on a day deletes what is older than the retention. The lock is the one of the
day file itself, which is never renamed.
"""

from __future__ import annotations

import os
import time

from groundwire.base.json_codec import dumps
from groundwire.base.paths import home_folder, take_lock
from groundwire.hook.log import LogError, open_folder, open_regular, write_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


_PREFIX, _SUFFIX = "confidences-", ".jsonl"
_DAY = 86_400
_SHAPE = "####-##-##T##:##:##"
_DIGITS = str.maketrans("0123456789", "#" * 10)


def history_folder(setting: str, env: Mapping[str, str]) -> str | None:
    """Return the folder that the setting names, with ``~`` as the home; None without a home."""
    if setting != "~" and not setting.startswith("~/"):
        return os.path.abspath(setting)
    home = home_folder(env)
    return os.path.join(home, setting[2:]) if home else None


def kept_folder(env: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the folder that stays when groundwire is removed, and what it holds."""
    from groundwire.base.settings import SHIPPED

    return history_folder(SHIPPED.composite.history, env), "the history of confidences"


def timestamp(seconds: float) -> str:
    """Return a moment as it stands in a row: ``2025-11-15T10:30:00Z``."""
    return f"{_moment(seconds)}Z"


def comparable(stamp: object) -> str:
    """Return a timestamp to the second, which sorts by time; "" for what is none in UTC."""
    if not isinstance(stamp, str) or stamp[:19].translate(_DIGITS) != _SHAPE:
        return ""
    zone = stamp[19:]
    if zone[:1] == ".":
        zone = zone[1:].lstrip("0123456789")
    return stamp[:19] if zone in ("Z", "+00:00") else ""


def moments(since: float, until: float) -> tuple[str, str]:
    """Return the two ends of a window as ``comparable`` timestamps."""
    return _moment(since), _moment(until)


def day_name(seconds: float) -> str:
    """Return the name of the file that a moment belongs to."""
    return f"{_PREFIX}{_moment(seconds)[:10]}{_SUFFIX}"


def files_between(names: list[str], since: float, until: float) -> list[str]:
    """Return those of ``names`` that are day files of a window, oldest first."""
    first, last = day_name(since), day_name(until)
    return sorted(name for name in names if first <= name <= last and day_of(name))


def day_of(name: str) -> str:
    """Return the date of a day file (YYYY-MM-DD); "" for any other file."""
    day = name[len(_PREFIX) : -len(_SUFFIX)]
    right = name == f"{_PREFIX}{day}{_SUFFIX}" and day.translate(_DIGITS) == _SHAPE[:10]
    return day if right and day.isascii() else ""


def expired(names: list[str], now: float, days: int) -> list[str]:
    """Return those of ``names`` that are day files and hold only rows older than ``days`` days."""
    oldest = day_of(day_name(now - days * _DAY))
    return sorted(name for name in names if "" < day_of(name) < oldest)


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


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
