"""One process at a time for one question: two copies of the hook ask once between them."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_FILE = "judge.lock"
_STEP = 0.02
#: Hexadecimal digits of a key that give the byte of the file which stands for it.
_DIGITS = 7


@asynccontextmanager
async def alone(folder: str | None, key: str, deadline: float) -> AsyncIterator[None]:
    """Hold the lock of ``key`` in a block, or go on without it when it cannot be had.

    ``deadline``, by ``time.monotonic``, ends the wait for another process. Each key is one byte of
    one file, so nothing is left to be removed.
    """
    descriptor = _open_file(folder)
    try:
        if descriptor is not None:
            await _lock(descriptor, int(key[:_DIGITS], 16), deadline)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open_file(folder: str | None) -> int | None:
    if folder is None:
        return None
    try:
        return os.open(os.path.join(folder, _FILE), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None


async def _lock(descriptor: int, at: int, deadline: float) -> None:
    try:
        import fcntl
    except ImportError:  # no POSIX: two copies ask twice
        return
    while time.monotonic() < deadline:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
        except (BlockingIOError, PermissionError):
            await asyncio.sleep(_STEP)
        except OSError:
            return
        else:
            return
