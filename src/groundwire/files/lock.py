"""Waiting for the lock of a file, for so long and no longer."""

from __future__ import annotations

import time

try:
    import fcntl
except ImportError:  # where there are no such locks
    fcntl = None  # type: ignore[assignment]

_STEP = 0.002


def take_lock(descriptor: int, seconds: float) -> bool:
    """Take the exclusive lock of an open file, which goes with its descriptor.

    Returns False when another process has held it for all of these ``seconds``; True also where
    there are no locks. Raises OSError for a descriptor that cannot be locked.
    """
    deadline = time.monotonic() + seconds
    while fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
        time.sleep(_STEP)
    return True
