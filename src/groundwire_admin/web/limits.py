"""How many requests one address may send, and how a body is read within size and time."""

from __future__ import annotations

import asyncio
import time

from starlette.types import Message, Receive

#: Addresses whose use is remembered.
_MOST_ADDRESSES = 10_000
#: Seconds for a whole body to arrive.
LONGEST_READ = 10.0


class TooManyError(Exception):
    """A client sent too much; ``seconds`` is when it may try again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Rate:
    """A token bucket for each caller: ``rate`` requests a second, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> None:
        """Count one request of ``caller``. Raises TooManyError when there is none left."""
        if not self._rate:
            return
        now = time.monotonic()
        left, then = self._left.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        if left < 1:
            self._left[caller] = (left, now)
            raise TooManyError(max(1, round((1 - left) / self._rate)))
        self._left[caller] = (left - 1, now)
        while len(self._left) > _MOST_ADDRESSES:  # the one that was quiet longest goes
            del self._left[next(iter(self._left))]


class BodyError(Exception):
    """A body is not taken; ``status`` is 413, 408, or 0 when the client went away."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


async def read_body(receive: Receive, most: int) -> bytes:
    """Return the whole body. Raises BodyError when it is too large, too slow or cut off."""
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(LONGEST_READ):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise BodyError(0)
                chunks.append(message.get("body", b""))
                size += len(chunks[-1])
                if size > most:
                    raise BodyError(413)
                if not message.get("more_body", False):
                    return b"".join(chunks)
    except TimeoutError:
        raise BodyError(408) from None


async def drain(receive: Receive, most: int, seconds: float) -> None:
    """Read what is still on its way to a request that was refused, so that the answer arrives."""
    try:
        async with asyncio.timeout(seconds):
            while most > 0:
                message = await receive()
                most -= len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that gives ``body`` once, and then what the connection says."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
