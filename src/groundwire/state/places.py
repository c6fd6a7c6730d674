"""Places for stops: what bounds them when the memory of a session is lost.

Every stop takes one of the few places of its prompt, an empty file. The prompts share 256 folders,
since each stop looks through the one that it uses.
"""

from __future__ import annotations

import os
from stat import S_ISLNK

from groundwire.digest import digest

_PLACE_SECONDS = 3600


def takes_place(folder: str, name: str, most: int, now: float) -> bool | None:
    """Take one of ``most`` places for a stop; False when all are taken, None without a ``folder``.

    ``name`` is what the stops are counted by. A place is free again after an hour. Two processes
    never get the same one.
    """
    mark = digest(name.encode("utf-8", "replace"))
    places = os.path.join(folder, mark[:2])
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        status = os.lstat(folder)
        if S_ISLNK(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
            return None  # somebody else made it
        os.makedirs(places, 0o700, exist_ok=True)
        forget(places, "stop-", _PLACE_SECONDS, now)
        for number in range(most):
            try:
                path = f"{places}/stop-{mark}-{number}"
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            except FileExistsError:
                continue
            return True
    except (OSError, ValueError):
        return None
    return False


def forget(folder: str, prefix: str, seconds: float, now: float) -> None:
    """Remove the files of a folder that are older than this, but no locks. Raises OSError."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(prefix) or entry.name[0] == ".":
                continue
            try:
                if now - entry.stat().st_mtime > seconds:
                    os.unlink(entry)
            except FileNotFoundError:  # another process was faster
                continue
