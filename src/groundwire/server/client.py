"""Asking a resident server whether it is there, and telling it to end."""

from __future__ import annotations

import socket

from groundwire.json_codec import loads
from groundwire.server.message import ALIVE, HOST, STOP

_SECONDS = 1.0
_MOST_BYTES = 64 << 10


def running_version(port: int, token: str) -> str:
    """Return the version of the groundwire that answers at ``port`` and knows ``token``, or ""."""
    try:
        status, body = _ask(port, token, "GET", ALIVE)
        fields = loads(body) if status == 200 else {}
    except (OSError, ValueError):
        return ""
    version = fields.get("groundwire") if isinstance(fields, dict) else ""
    return version if isinstance(version, str) else ""


def stop_server(port: int, token: str) -> bool:
    """Tell the server at ``port`` to end, with TLS or without; False when none took it."""
    for secure in (False, True):
        try:
            if _ask(port, token, "POST", STOP, secure=secure)[0] == 200:
                return True
        except (OSError, ValueError):
            continue
    return False


def is_taken(port: int) -> bool:
    """Tell whether anything at all listens at ``port``."""
    try:
        socket.create_connection((HOST, port), _SECONDS).close()
    except OSError:
        return False
    return True


def _connected(port: int, secure: bool) -> socket.socket:
    connection = socket.create_connection((HOST, port), _SECONDS)
    if not secure:
        return connection
    import ssl  # not needed as a rule

    # nobody issues certificates for this address; who listens here is told no more than without
    try:
        return ssl._create_unverified_context().wrap_socket(connection)  # noqa: S323
    except OSError:
        connection.close()
        raise


def _ask(
    port: int, token: str, method: str, path: str, *, secure: bool = False
) -> tuple[int, bytes]:
    """Return status and body; raises OSError or ValueError when no HTTP server answers in time."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nAuthorization: Bearer {token}\r\n"
    answer = b""
    with _connected(port, secure) as connection:
        connection.sendall(f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode("ascii"))
        while (chunk := connection.recv(_MOST_BYTES)) and len(answer) < _MOST_BYTES:
            answer += chunk
    first, _, body = answer.partition(b"\r\n\r\n")
    words = first.split(b" ", 2)
    if len(words) < 3 or not words[0].startswith(b"HTTP/"):
        raise ValueError("no HTTP answer")
    return int(words[1]), body
