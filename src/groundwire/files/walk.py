"""The files of a path, in a fixed order; what is passed over is told."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from groundwire.errors import FileError
from groundwire.files.text_file import Skipped

#: Folders that hold no work of the user: version control, environments, caches.
PASSED_OVER = frozenset(
    (
        ".git .hg .svn .venv venv node_modules __pycache__ .tox .nox .mypy_cache .ruff_cache "
        ".pytest_cache .hypothesis .eggs .idea"
    ).split()
)


def walk(path: Path) -> Iterator[Path | Skipped]:
    """Yield a file, or all files below a folder, sorted by name within each folder.

    ``path`` itself may be a link; links below it are not followed, so no loop and nothing outside
    is entered. Raises FileError when ``path`` does not exist or cannot be looked at.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"{path}: {reason}; expected a file or folder") from None
    if not stat.S_ISDIR(mode):
        yield path
        return
    waiting = [path]
    while waiting:
        folder = waiting.pop()
        folders: list[Path] = []
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Skipped(folder, error.strerror or str(error))
            continue
        for entry in entries:
            below = folder / entry.name
            if entry.is_symlink():
                yield Skipped(below, "symbolic link")
            elif entry.is_dir():
                if entry.name not in PASSED_OVER:
                    folders.append(below)
            elif entry.is_file():
                yield below
            else:
                yield Skipped(below, "not a regular file")
        waiting.extend(reversed(folders))


def is_data_file(path: Path) -> bool:
    """Tell whether a file lies in a ``_data`` folder, at any depth."""
    return "_data" in path.absolute().parts[:-1]
