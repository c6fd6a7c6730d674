"""One HTTP/1.1 request on a socket and its response, within limits of size and time.

Every connection carries one request and is closed. Only what an HTTP client of today sends is
taken: no folded headers, no chunks, no pipelining.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from http import HTTPStatus

from groundwire.hook.entry import HOOK
from groundwire_server.resident.message import Head, Response

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire_server.resident.handler import HookHandler

#: Seconds for a whole request to arrive, and for its response to be taken.
LONGEST_READ = 5.0
LONGEST_WRITE = 5.0
LARGEST_HEAD = 16 << 10
#: Bytes of one reading: as many are asked of the allocator before they come, and larger pieces that
#: are cut to what came leave holes (256 KB: 180 KB of memory more with each 1,000 requests).
_CHUNK = 16 << 10
#: After an early answer a client may still be sending; closing at once would destroy the answer.
_DRAIN_SECONDS = 0.5
_DRAIN_BYTES = 1 << 20
_END = b"\r\n\r\n"
_SINGLE = ("host", "authorization", "content-length")
_BREAKS = frozenset("\r\n\0")


class BadRequestError(Exception):
    """What is on the wire is no request that is taken; ``status`` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Begun:
    """A connection, and what has come of its request.

    ``head`` is there once it is good; ``response`` is what is answered without the body.
    """

    def __init__(self, connection: socket.socket, address: tuple[str, int]) -> None:
        self.connection = connection
        self.peer = address[0]
        self.since = time.monotonic()
        self.head: Head | None = None
        self.response: Response | None = None
        self.data = bytearray()
        self._length = 0
        connection.setblocking(False)

    @property
    def is_trusted(self) -> bool:
        """Tell whether it is an event with the token."""
        return self.head is not None and self.head.path == HOOK

    def is_whole(self, handler: HookHandler) -> bool:
        """Read what is there; tell whether the request is, or will never be."""
        try:
            chunk = self.connection.recv(_CHUNK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            chunk = b""
        begin = max(0, len(self.data) - len(_END))
        self.data += chunk
        if self.head is None:
            end = self.data.find(_END, begin)
            if (len(self.data) if end < 0 else end) > LARGEST_HEAD:
                self.response = Response(431)
            elif end >= 0:
                self._take_head(bytes(self.data[:end]), handler)
                del self.data[: end + len(_END)]
        is_whole = self.head is not None and len(self.data) >= self._length
        if not (chunk or is_whole or self.response):
            self.response = Response(400)
        return is_whole or self.response is not None

    def _take_head(self, data: bytes, handler: HookHandler) -> None:
        try:
            head = parse_head(data)
        except BadRequestError as error:
            self.response = Response(error.status)
            return
        self.response = handler.refusal(head)
        if self.response is None:
            self.head, self._length = head, int(head.headers.get("content-length", "0"))
            if head.headers.get("expect", "").lower() == "100-continue":
                self.connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")


def serve_connection(begun: Begun, handler: HookHandler) -> None:
    """Answer a request that is there; raises OSError when the other side goes away."""
    if begun.head is not None and begun.response is None:
        _send(begun.connection, handler.answer(begun.head, bytes(begun.data)))
        return
    _send(begun.connection, begun.response or Response(400))
    _drain(begun.connection)


def refuse(connection: socket.socket, status: int) -> None:
    """Answer with ``status`` as far as that does not wait, and close the connection."""
    with connection, suppress(OSError):  # the client went away, or does not read
        connection.send(_head_of(Response(status)))


def parse_head(data: bytes) -> Head:
    """Return the head in ``data``, which has no blank line. Raises BadRequestError."""
    text = data.decode("latin-1")
    first, *lines = text.split("\r\n")
    if not _BREAKS.isdisjoint(text.replace("\r\n", "")):  # RFC 9110, 5.5
        raise BadRequestError(400)
    parts = first.split(" ")
    if len(parts) != 3 or parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadRequestError(400)
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        name = name.lower()
        if not colon or not name or name.strip() != name or (name in headers and name in _SINGLE):
            raise BadRequestError(400)
        headers[name] = value.strip(" \t")
    if "transfer-encoding" in headers:
        raise BadRequestError(411)
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) < 12):
        raise BadRequestError(400)
    return Head(parts[0], parts[1], headers)


def _head_of(response: Response) -> bytes:
    allow = f"Allow: {response.allow}\r\n" if response.allow else ""
    return (
        f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}\r\n"
        f"{allow}Content-Type: application/json\r\n"
        f"Content-Length: {len(response.body)}\r\n"
        "Connection: close\r\n\r\n"
    ).encode("ascii")


def _send(connection: socket.socket, response: Response) -> None:
    connection.settimeout(LONGEST_WRITE)
    connection.sendall(_head_of(response) + response.body)


def _drain(connection: socket.socket) -> None:
    """Read what the client still sends to a request that was answered early."""
    connection.shutdown(socket.SHUT_WR)
    limit = time.monotonic() + _DRAIN_SECONDS
    left = _DRAIN_BYTES
    while left > 0 and (seconds := limit - time.monotonic()) > 0:
        connection.settimeout(seconds)
        data = connection.recv(_CHUNK)
        left -= len(data) or left
