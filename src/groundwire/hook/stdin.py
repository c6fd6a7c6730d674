"""Reading the event from standard input without relying on its end.

Some versions and hosts never close the pipe, so reading stops at the first complete JSON object,
and after a deadline in any case.
"""

from __future__ import annotations

import os
import select
import time

from groundwire.json_codec import decode_first

DEADLINE_SECONDS = 3.0
#: A pause this long after a closing brace is worth a try to parse.
_PAUSE_SECONDS = 0.02
_CHUNK = 1 << 20


def read_event_bytes(descriptor: int, deadline: float = DEADLINE_SECONDS) -> bytes:
    """Return what stands on ``descriptor`` up to its end, a complete object, or the deadline."""
    chunks: list[bytes] = []
    limit = time.monotonic() + deadline
    while time.monotonic() < limit:
        wait = _PAUSE_SECONDS if _may_be_complete(chunks) else limit - time.monotonic()
        if not _is_readable(descriptor, wait):
            if _may_be_complete(chunks) and _is_complete(b"".join(chunks)):
                break
            if chunks and chunks[-1]:
                chunks.append(b"")  # parsed once without success: wait for more
            continue
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            continue
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks)


def _is_readable(descriptor: int, seconds: float) -> bool:
    try:
        return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])
    except (OSError, ValueError):
        return True  # no pipe: reading says what is wrong


def _may_be_complete(chunks: list[bytes]) -> bool:
    return bool(chunks) and chunks[-1].rstrip().endswith(b"}")


def _is_complete(data: bytes) -> bool:
    try:
        decode_first(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except ValueError:
        return False
    return True
