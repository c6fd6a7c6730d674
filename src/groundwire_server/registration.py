"""What ``groundwire install`` asks of the server: its port and token, and ending it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from groundwire.base.errors import ServerError
from groundwire.commands.registration import Resident
from groundwire_server.resident.client import free_port, is_foreign, stop_server
from groundwire_server.resident.local import stop_local
from groundwire_server.resident.token import default_port, ensure_token, known_token


def planned(port: int | None, dry_run: bool) -> Resident:
    """Return where the server listens and its token, made unless ``dry_run``.

    Raises ServerError for a port that another program has taken.
    """
    port = port or default_port()
    known = known_token(os.environ) or "(a new token)"
    resident = Resident(port, known if dry_run else ensure_token(os.environ))
    if is_foreign(port, resident.token):
        free = f"allowed: a free one, such as {free_port(port + 1)}"
        raise ServerError(f"--port {port}: taken by another program: {free}")
    return resident


def stopped(port: int) -> Iterator[str]:
    """End the server at ``port`` unless that is 0, and the resident hook; yield what ended."""
    if port and stop_server(port, os.environ):
        yield f"the server at port {port} ends"
    if stop_local(os.environ):
        yield "the resident hook ends"
