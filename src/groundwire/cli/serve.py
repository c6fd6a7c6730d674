"""``groundwire serve``: the resident server, which answers the hook without starting a process."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from groundwire.errors import ServerError
from groundwire.server.client import stop_server
from groundwire.server.serve import serve as serve_hook
from groundwire.server.token import default_port, known_token

Port = Annotated[
    int,
    typer.Option(min=1, max=65_535, help="The port on 127.0.0.1; each user has one by default."),
]


def serve(
    port: Port = default_port(),  # noqa: B008
    stop: Annotated[bool, typer.Option("--stop", help="End the server that runs there.")] = False,
) -> None:
    """Answer Claude Code's http hooks at 127.0.0.1 until interrupted.

    `groundwire install --http` registers it, and every session starts it where it does not run.

    Examples:

        groundwire serve

        groundwire serve --stop
    """
    if not stop:
        serve_hook(port, os.environ, typer.echo)
    elif stop_server(port, known_token(os.environ)):
        typer.echo(f"the server at port {port} ends")
    else:
        raise ServerError(f"no server of yours answers at port {port}")
