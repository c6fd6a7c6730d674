"""Bringing a database to a revision of the schema, without a file of settings."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text

from groundwire.errors import StoreError
from groundwire_admin.store.database import Store

BASE = "base"
_SCRIPTS = Path(__file__).parent / "migrations"
#: Key of the lock under which one process at a time migrates a PostgreSQL database.
_LOCK = 0x67_77_69_72  # "gwir"


def revisions() -> list[str]:
    """Return the revisions of the schema, oldest first."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in reversed(list(scripts.walk_revisions()))]


def revision_of(store: Store) -> str | None:
    """Return the revision that a database is at; None when it is empty. Raises StoreError."""
    with store.read() as session:
        return MigrationContext.configure(session.connection()).get_current_revision()


def upgrade(store: Store, revision: str = "head") -> tuple[str | None, str | None]:
    """Bring a database up to ``revision``; return where it was and where it is.

    All of it happens or nothing does, and a database that is there already is left alone. Raises
    StoreError.
    """
    return _move(store, revision, up=True)


def downgrade(store: Store, revision: str) -> tuple[str | None, str | None]:
    """Bring a database down to ``revision`` (``base``: no tables). Raises StoreError."""
    return _move(store, revision, up=False)


def require_current(store: Store) -> None:
    """Raise StoreError when a database is not at the newest revision."""
    at, newest = revision_of(store), revisions()[-1]
    _require_known(store, at)
    if at != newest:
        raise StoreError(
            f"{store.shown}: at revision {at or 'none'}, {newest} needed: run groundwire db "
            "migrate with this --db"
        )


def _move(store: Store, revision: str, *, up: bool) -> tuple[str | None, str | None]:
    with store.connection() as connection:
        if not store.is_file:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        context = MigrationContext.configure(connection)
        before = context.get_current_revision()
        _require_known(store, before)
        config = _config()
        config.attributes["connection"] = connection
        try:
            (command.upgrade if up else command.downgrade)(config, revision)
        except CommandError as error:
            known = ", ".join([BASE, *revisions()])
            raise StoreError(f"{store.shown}: {error}: allowed: {known}") from None
        return before, context.get_current_revision()


def _require_known(store: Store, at: str | None) -> None:
    if at is None or at in (known := revisions()):
        return
    told = "of a newer groundwire: update this one"
    if at < known[0]:
        told = f"older than any release ({known[0]}): move it away, or name another with --db"
    raise StoreError(f"{store.shown}: at revision {at}, {told}")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config
