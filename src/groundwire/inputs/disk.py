"""The only look at a project's files: whether one exists, and its lines."""

from __future__ import annotations

import os
from stat import S_ISREG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LARGEST_FILE = 8 << 20
_MOST_FOLDERS = 12


def file_lookup(cwd: str) -> Callable[[str, int], bool | None]:
    """Return a function that tells whether a file below ``cwd`` has a line (0: exists at all).

    A relative path may count from ``cwd`` or from a folder above it, up to that of the repository,
    since ``cwd`` follows every ``cd``. None means that it cannot be told: no such folder here, or a
    file too large to count.
    """

    def has_line(path: str, line: int) -> bool | None:
        if not cwd or not os.path.isdir(cwd):
            return None
        answer: bool | None = False
        for folder in _folders(cwd):
            answer = _has_line(os.path.join(folder, os.path.expanduser(path)), line)
            if answer is not False or os.path.isabs(path):
                break
        return answer

    return has_line


def commit_lookup(cwd: str) -> Callable[[str], bool | None]:
    """Return a function that tells whether the repository around ``cwd`` holds a commit."""

    def holds(name: str) -> bool | None:
        from groundwire.inputs.git_objects import has_commit  # few messages name one

        return has_commit(cwd, name)

    return holds


def _folders(cwd: str) -> Iterator[str]:
    """Yield ``cwd`` and, inside a repository, the folders above it up to the one with ``.git``."""
    above = [cwd]
    while not os.path.exists(os.path.join(above[-1], ".git")):
        parent = os.path.dirname(above[-1])
        if parent == above[-1] or len(above) >= _MOST_FOLDERS:
            yield cwd  # in no repository
            return
        above.append(parent)
    yield from above


def _has_line(path: str, line: int) -> bool | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    if not line or not S_ISREG(status.st_mode):
        return not line
    if status.st_size > _LARGEST_FILE:
        return None
    from groundwire.inputs.git_objects import count_lines  # few messages name a line

    return line <= count_lines(path, _LARGEST_FILE)
