"""One request and its response as plain records: what the handler and the sockets share."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.event import LARGEST

HEALTH = "/healthz"
STOP = "/stop"
#: The header by which a caller has the server prove that it knows the token.
CHALLENGE = "x-groundwire-challenge"
#: Bytes of a body.
LARGEST_BODY = LARGEST


class Head(Record):
    """A request without its body; names of ``headers`` are in lower case."""

    method: str
    path: str
    headers: dict[str, str]


class Response(Record):
    """What is sent back; ``allow`` names the methods of a path that takes another one."""

    status: int
    body: bytes = b""
    allow: str = ""
