"""One HTTP/1.1 request on a socket and its response, within limits of size and time.

Every connection carries one request and is closed. Only what an HTTP client of today sends is
taken: no folded headers, no chunks, no pipelining.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from http import HTTPStatus

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
    """A connection, and what has come of its request's head."""

    def __init__(self, connection: socket.socket, address: tuple[str, int]) -> None:
        self.connection = connection
        self.peer = address[0]
        self.since = time.monotonic()
        self.data = b""
        connection.setblocking(False)

    def is_whole(self) -> bool:
        """Read what is there; tell whether the head is, or will never be."""
        try:
            chunk = self.connection.recv(_CHUNK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            chunk = b""
        begin = max(0, len(self.data) - len(_END))
        self.data += chunk
        return not chunk or self.data.find(_END, begin) >= 0 or len(self.data) > LARGEST_HEAD


def serve_connection(begun: Begun, handler: HookHandler) -> None:
    """Answer a request whose head is there; raises OSError when the other side goes away."""
    connection, limit = begun.connection, time.monotonic() + LONGEST_READ
    unread = False
    try:
        data, end, rest = begun.data.partition(_END)
        if len(data) > LARGEST_HEAD:
            raise BadRequestError(431)
        if not end:
            raise BadRequestError(400)
        head = parse_head(data)
        response = handler.refusal(head)
        unread = response is not None
        if response is None:
            if head.headers.get("expect", "").lower() == "100-continue":
                connection.settimeout(LONGEST_WRITE)
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            length = int(head.headers.get("content-length", "0"))
            response = handler.answer(head, _read_body(connection, rest, length, limit))
    except BadRequestError as error:
        response, unread = Response(error.status), True
    _send(connection, response)
    if unread:
        _drain(connection)


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


def _receive(connection: socket.socket, limit: float, size: int) -> bytes:
    left = limit - time.monotonic()
    if left <= 0:
        raise BadRequestError(408)
    connection.settimeout(left)
    try:
        data = connection.recv(size)
    except TimeoutError:
        raise BadRequestError(408) from None
    if not data:
        raise BadRequestError(400)
    return data


def _read_body(connection: socket.socket, rest: bytes, length: int, limit: float) -> bytes:
    chunks = [rest]
    missing = length - len(rest)
    while missing > 0:
        chunks.append(_receive(connection, limit, min(missing, _CHUNK)))
        missing -= len(chunks[-1])
    return b"".join(chunks)[:length]


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
    while left > 0:
        try:
            left -= len(_receive(connection, limit, _CHUNK))
        except BadRequestError:
            return
