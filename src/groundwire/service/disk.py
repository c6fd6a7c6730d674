"""The only look at a project's files: whether one exists and how many lines it has."""

from __future__ import annotations

import os
from stat import S_ISREG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST_FILE = 8 << 20


def file_lookup(cwd: str) -> Callable[[str, int], bool | None]:
    """Return a function that tells whether a file below ``cwd`` has a line (0: exists at all).

    None means that it cannot be told: no such folder here, or a file too large to count.
    """

    def has_line(path: str, line: int) -> bool | None:
        if not cwd or not os.path.isdir(cwd):
            return None
        try:
            full = os.path.join(cwd, os.path.expanduser(path))
            status = os.stat(full)
        except (OSError, ValueError):
            return False
        if not line or not S_ISREG(status.st_mode):
            return not line
        return None if status.st_size > _LARGEST_FILE else line <= _count_lines(full)

    return has_line


def _count_lines(path: str) -> int:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return 0
    return data.count(b"\n") + (not data.endswith(b"\n"))
