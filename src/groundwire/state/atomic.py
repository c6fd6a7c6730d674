"""Replacing a private file as a whole: whoever reads it sees the old or the new content."""

from __future__ import annotations

import os


def replace_file(path: str, data: bytes) -> None:
    """Write ``data`` to ``path`` through a temporary file beside it, mode 0600.

    Makes missing folders (0700). Raises OSError, and ValueError for a name that no system takes;
    then the old file stands and nothing is left behind.
    """
    temporary = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    descriptor = os.open(temporary, flags, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
