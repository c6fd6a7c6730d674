"""HTTP/1.1 on the sockets with what uvicorn lacks: limits of time and number for requests' heads.

Folded header lines are refused, which readers before this one may understand in another way.
"""

from __future__ import annotations

import asyncio
import re

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds from the first byte of a connection or request to the end of its head.
LONGEST_HEAD = 5.0
#: Connections of one address without a whole head; beyond that the oldest one is closed.
MOST_WAITING = 64
#: Seconds that an idle connection has for closing: with TLS its other end may never answer.
_CLOSING = 1.0
_FOLDED = re.compile(rb"\n[ \t]")
_END = re.compile(rb"\n\r?\n")
_PROBLEM = (
    b'{"type": "about:blank", "title": "Bad Request", "status": 400, '
    b'"detail": "a header line begins with a space"}'
)
_REFUSED = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n" % len(_PROBLEM)
) + _PROBLEM


class TimedProtocol(H11Protocol):
    """Closes a connection on which no whole request head arrives in time."""

    _waiting: dict[str, dict[TimedProtocol, None]] = {}  # noqa: RUF012 - of all connections
    _head_timer: asyncio.TimerHandle | None = None
    _head = b""
    _peer = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._peer = self.client[0] if self.client else ""
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take data; wait on while a head is not complete."""
        if self.conn.their_state is h11.IDLE:
            self._head += data
            end = _END.search(self._head)
            if _FOLDED.search(self._head, 0, end.start() + 1 if end else len(self._head)):
                self.transport.write(_REFUSED)
                self.transport.close()
                return
            if end:
                self._head = b""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._wait()
        else:
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; it may be silent from here on."""
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """Begin to end with the server; an idle connection is closed whatever its peer does."""
        super().shutdown()
        if self.transport.is_closing():
            self.loop.call_later(_CLOSING, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._head_timer is not None:
            return
        self._head_timer = self.loop.call_later(LONGEST_HEAD, self._too_late)
        others = self._waiting.setdefault(self._peer, {})
        others[self] = None
        if len(others) > MOST_WAITING:
            next(iter(others))._too_late()

    def _stop_waiting(self) -> None:
        if self._head_timer is None:
            return
        self._head_timer.cancel()
        self._head_timer = None
        others = self._waiting.get(self._peer, {})
        others.pop(self, None)
        if not others:
            self._waiting.pop(self._peer, None)

    def _too_late(self) -> None:
        self._stop_waiting()
        self.transport.close()
