"""Reading files that a turn names: bounded, and never waiting for anybody.

A path may lead to a pipe, a device or a folder; opening these can block for ever or have effects.
"""

from __future__ import annotations

import os
from stat import S_ISREG

_READ = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    _READ |= getattr(os, _flag, 0)  # not every system has each of them


def open_regular(path: str) -> int:
    """Return a descriptor of a regular file, to be closed. Raises OSError, also for any other."""
    descriptor = os.open(path, _READ)
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path}: no regular file")
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_start(path: str, most: int) -> bytes:
    """Return at most ``most`` bytes from the beginning of a regular file. Raises OSError."""
    descriptor = open_regular(path)
    try:
        pieces = []
        while most > 0 and (piece := os.read(descriptor, min(most, 1 << 20))):
            pieces.append(piece)
            most -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def count_lines(path: str, most: int) -> int:
    """Return the number of lines in the first ``most`` bytes of a file, 0 for one not readable."""
    try:
        data = read_start(path, most)
    except OSError:
        return 0
    return data.count(b"\n") + (not data.endswith(b"\n"))
