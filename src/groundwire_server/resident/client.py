"""Asking a resident server whether it is there, and telling it to end."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

from groundwire.base.errors import ServerError
from groundwire.base.json_codec import loads
from groundwire.hook.entry import HOST
from groundwire_server.resident.message import CHALLENGE, HEALTH, STOP
from groundwire_server.resident.token import ADMIN_TOKEN, HOOK_TOKEN, known_token, proof_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SECONDS = 1.0
_CHALLENGE_BYTES = 16
_LAST_PORT = 65_536
_MOST_BYTES = 64 << 10
#: What a server answers that has too much to do.
_BUSY = (429, 503)


class BusyError(ServerError):
    """Whose server it is cannot be found out now."""


def running_version(port: int, token: str, *, secure: bool = False) -> str:
    """Return the version of the groundwire that answers at ``port`` and knows ``token``, or "".

    It has to prove that; the token itself is not sent. ``secure``: with TLS. Raises BusyError when
    it has too much to do to answer.
    """
    challenge = os.urandom(_CHALLENGE_BYTES).hex()
    try:
        status, body = _ask(port, "GET", HEALTH, f"{CHALLENGE}: {challenge}", secure=secure)
        fields = loads(body) if status == 200 else {}
    except (OSError, ValueError):
        return ""
    if status in _BUSY:
        raise BusyError(f"port {port}: too busy to say whose it is (status {status})")
    given = fields if isinstance(fields, dict) else {}
    version, proofs = given.get("version"), (given.get("proof"), given.get("admin_proof"))
    if not isinstance(version, str):
        return ""
    return version if proof_of(token, port, version, challenge) in proofs else ""


def stop_server(port: int, env: Mapping[str, str]) -> bool:
    """Tell the server at ``port`` to end, with TLS or without; False when none took it.

    Only one that has proved that it knows a token gets to see it; older ones know the hook's.
    Raises ServerError for a token that others had a hand in, and as ``running_version``.
    """
    tokens = [known_token(env, file) for file in (ADMIN_TOKEN, HOOK_TOKEN)]
    for token in filter(None, tokens):
        for secure in (False, True):
            if running_version(port, token, secure=secure):
                with suppress(OSError, ValueError):
                    head = f"Authorization: Bearer {token}"
                    return _ask(port, "POST", STOP, head, secure=secure)[0] == 200
    return False


def is_foreign(port: int, token: str) -> bool:
    """Tell whether something listens at ``port`` that is not the server of this ``token``.

    Raises BusyError as ``running_version``.
    """
    return is_taken(port) and not (token and running_version(port, token))


def free_port(port: int) -> int:
    """Return the first port from ``port`` on at which nothing listens."""
    return next((one for one in range(port, _LAST_PORT) if not is_taken(one)), port)


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
    port: int, method: str, path: str, header: str, *, secure: bool = False
) -> tuple[int, bytes]:
    """Return status and body of a request with one header more.

    Raises OSError or ValueError when no HTTP server answers in time.
    """
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\n{header}\r\n"
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
