"""``groundwire db``: the admin database."""

from __future__ import annotations

import os
from contextlib import closing
from typing import Annotated

import typer

from groundwire.commands.extras import extra_needed

app = typer.Typer(no_args_is_help=True, help="The database of the admin server.")

Database = Annotated[str, typer.Option("--db")]


@app.callback()
def root() -> None:
    """Keep ``migrate`` a command of its own, however many there are."""


@app.command()
def migrate(
    database: Database = "",
    downgrade: str = "",
) -> None:
    """Bring the database to the newest revision; one that is there already is left alone.

    `groundwire serve --admin` does that itself for a SQLite file; for PostgreSQL run it after each
    update. All of a migration happens or nothing. Needs: pip install 'groundwire[server]'

    Examples:

        groundwire db migrate

        groundwire db migrate --db postgresql://groundwire@db.example/groundwire

        groundwire db migrate --downgrade base

    Options:
        --downgrade REV: Downgrade to this one; `base` drops all tables with their content.
    """
    with extra_needed("server"):
        from groundwire_server.admin.store import database as migrations
        from groundwire_server.admin.store.database import open_store

    with closing(open_store(database or None, os.environ)) as store:
        if downgrade:
            before, after = migrations.downgrade(store, downgrade)
        else:
            before, after = migrations.upgrade(store)
    moved = "nothing to do" if before == after else f"was {before or 'empty'}"
    typer.echo(f"{store.shown}: at revision {after or 'none'}, {moved}")
