"""``groundwire serve``: the resident server, which answers the hook without starting a process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.errors import ServerError
from groundwire.commands.extras import extra_needed
from groundwire.commands.options import refuse_given
from groundwire.hook.entry import HOST
from groundwire_server.resident.client import is_taken, stop_server
from groundwire_server.resident.local import stop_local
from groundwire_server.resident.serve import serve as serve_hook
from groundwire_server.resident.token import ADMIN_TOKEN, HOOK_TOKEN, default_port, ensure_token

Port = Annotated[
    int, typer.Option(min=1, max=65_535, help="The port; each user has one by default.")
]
#: The options of the admin server.
_OF_ADMIN = ("--host", "--db", "--tls-cert", "--tls-key", "--insecure", "--allow-host", "--rate")


def serve(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    port: Port = default_port(),  # noqa: B008
    stop: bool = False,
    admin: bool = False,
    host: str = HOST,
    database: Annotated[str, typer.Option("--db")] = "",
    certificate: Annotated[Path | None, typer.Option("--tls-cert")] = None,
    key: Annotated[Path | None, typer.Option("--tls-key")] = None,
    insecure: bool = False,
    allow_host: list[str] | None = None,
    rate: Annotated[float, typer.Option(min=0)] = 50.0,
) -> None:
    """Answer the hook over HTTP on 127.0.0.1 until interrupted.

    `groundwire install --http` registers it, and every session starts it where it does not run.
    --stop also ends the resident hook of `groundwire install --resident`.
    With --admin it also serves the admin pages, their API and figures for Prometheus.

    Examples:

        groundwire serve

        groundwire serve --stop

        groundwire serve --admin

        groundwire serve --admin --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem

    Options:
        --stop: End the server that runs there.
        --admin: With the admin pages and their API; needs groundwire[server].
        --host: With --admin: the address to listen at.
        --db URL: With --admin: the database, as sqlite:///FILE or postgresql://...; a file in the
          state folder by default.
        --tls-cert FILE: With --admin: a PEM certificate.
        --tls-key FILE: With --admin: its private key.
        --insecure: With --admin: another address than loopback without TLS.
        --allow-host NAME: With --admin: a further name that browsers reach it by; may be repeated.
        --rate: With --admin: requests a second from one address; 0 for no limit.
    """
    if stop:
        for file in (ADMIN_TOKEN, HOOK_TOKEN):  # a server of this user takes new ones from there
            ensure_token(os.environ, file)
        if stop_local(os.environ):
            typer.echo("the resident hook ends")
            if not is_taken(port):
                return
        if not is_taken(port) or not stop_server(port, os.environ):
            raise ServerError(f"no server of yours answers at port {port}")
        typer.echo(f"the server at port {port} ends")
        return
    if not admin:
        refuse_given(ctx, _OF_ADMIN, "only with --admin")
        serve_hook(port, os.environ, typer.echo)
        return
    with extra_needed("server"):
        from groundwire_server.admin.options import AdminOptions
        from groundwire_server.admin.run import run_admin
    options = AdminOptions(
        port=port,
        token=ensure_token(os.environ, ADMIN_TOKEN),
        host=host,
        database=database,
        certificate=certificate,
        key=key,
        insecure=insecure,
        allow_hosts=tuple(allow_host or ()),
        rate=rate,
        env=dict(os.environ),
    )
    run_admin(options, typer.echo)
