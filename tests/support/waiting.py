"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable


def wait_until(holds: Callable[[], object], *, said: str = "", seconds: float = 20) -> None:
    """Ask again and again until ``holds`` returns something true; fail with ``said`` if never."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, said or f"not within {seconds} seconds"
        time.sleep(0.02)
