"""How many requests one address may send, and how a body is read within size and time."""

from __future__ import annotations

import asyncio
import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message, Receive

#: Addresses whose use is remembered.
_MOST_ADDRESSES = 10_000
#: Seconds for a whole body to arrive, and for that of who signs in.
LONGEST_READ, LONGEST_LOGIN = 10.0, 2.0


class Rate:
    """A token bucket for each caller: ``rate`` requests a second, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> None:
        """Count one request of ``caller``. Raises HTTPException when there is none left."""
        if not self._rate:
            return
        now = time.monotonic()
        left, then = self._left.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        if left < 1:
            self._left[caller] = (left, now)
            seconds = max(1, round((1 - left) / self._rate))
            retry = {"Retry-After": str(seconds)}
            raise HTTPException(429, f"too many requests; again in {seconds} s", retry)
        self._left[caller] = (left - 1, now)
        while len(self._left) > _MOST_ADDRESSES:  # the one that was quiet longest goes
            del self._left[next(iter(self._left))]


async def read_body(receive: Receive, most: int, seconds: float) -> bytes:
    """Return the whole body.

    Raises HTTPException when it is too large or too slow, ClientDisconnect when it is cut off.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in Request({"type": "http"}, receive).stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413, f"the body is too large; allowed: {most} bytes")
    except TimeoutError:
        raise HTTPException(408, "the body did not arrive in time") from None
    return bytes(body)


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
