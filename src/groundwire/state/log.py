"""Writing the decision log: one JSON line per decision, for people and for later tools.

``decisions.jsonl`` in the state folder is the newest file, ``decisions.1.jsonl`` the one before.
Several hooks may write at once, so everything happens under a lock, and a line is one write.
"""

from __future__ import annotations

import os

from groundwire.json_codec import dumps
from groundwire.settings import Log
from groundwire.state.log_files import CURRENT, Locked, LogError, open_folder, open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

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
            from groundwire.state.log_rotation import rotate  # once in some thousand turns

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
