"""Appending whole lines to a file that several processes write."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def append_line(path: Path, line: str) -> None:
    """Append ``line`` and a line feed, under a lock; a torn last line is closed first.

    Raises OSError, also when not the whole line could be written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        data = ("\n" if torn else "").encode() + line.encode() + b"\n"
        if os.write(descriptor, data) != len(data):
            raise OSError(0, "not the whole line could be written", str(path))
    finally:
        os.close(descriptor)
