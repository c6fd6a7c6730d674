"""Opening the database, transactions, and bringing it to a revision of the schema."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Session

from groundwire.base.errors import StoreError
from groundwire.base.paths import state_folder

FILE = "groundwire.db"
_SQLITE, _POSTGRESQL = "sqlite", "postgresql"
_ALLOWED = "allowed: sqlite:///PATH or postgresql://USER@HOST/DATABASE"
_BUSY_SECONDS = 10.0
_CONNECT_SECONDS = 5
_POOL_SECONDS = 10.0


class Store:
    """One database; ``read`` and ``write`` are the only ways into it.

    May be used by several threads. ``shown`` is the URL without its password.
    """

    def __init__(self, url: URL) -> None:
        self.shown = url.render_as_string(hide_password=True)
        self.engine = _engine(url)
        self._writing = self.engine.execution_options(write=True)
        self._opened: tuple[int, int] | None = None

    def remember_file(self) -> None:
        """From now on refuse to work on another file than the one that is there now."""
        self._opened = _identity(self.engine.url.database or "")

    @property
    def is_file(self) -> bool:
        """Tell whether this is a file of the user's own, not a server."""
        return self.engine.dialect.name == _SQLITE

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session that changes nothing. Raises StoreError."""
        with self._failures(), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session whose changes are kept together, or not at all. Raises StoreError."""
        opened = Session(self._writing, expire_on_commit=False)
        with self._failures(), opened as session, session.begin():
            yield session

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Give a connection in one transaction, for migrations. Raises StoreError."""
        with self._failures(), self._writing.begin() as connection:
            yield connection

    def require_answer(self) -> None:
        """Raise StoreError unless the database answers and holds our tables."""
        with self.read() as session:
            session.execute(text("SELECT version_num FROM alembic_version"))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Name the database in what its driver says; statements and values stay out of it."""
        self._require_file()
        try:
            yield
            self._require_file()
        except DBAPIError as error:
            said = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
            raise StoreError(f"{self.shown}: {said[0]}") from error
        except SQLAlchemyError as error:  # such as no free connection in time
            raise StoreError(f"{self.shown}: {str(error).splitlines()[0]}") from error

    def _require_file(self) -> None:
        """Raise StoreError when the file was removed or replaced: its changes would be lost."""
        if self._opened and _identity(self.engine.url.database or "") != self._opened:
            raise StoreError(f"{self.shown}: the file was removed or replaced; restart the server")


def open_store(url: str | None, env: Mapping[str, str]) -> Store:
    """Return the store at ``url``; without one, the SQLite file in the user's state folder.

    A new SQLite file is private (0600), in folders of 0700. Nothing is migrated. Raises StoreError
    for a URL that cannot be used, and for a file that cannot be made.
    """
    store = Store(database_url(url, env))
    if store.is_file:
        _make_file(store.engine.url.database or "", store, own=not url)
        store.remember_file()
    return store


def insert_new(session: Session, table: type[DeclarativeBase]) -> Any:
    """Return an INSERT that leaves rows alone whose key is there already.

    No part of the language that SQLAlchemy shares between databases says that.
    """
    is_file = session.get_bind().dialect.name == _SQLITE
    dialect = sqlite.insert if is_file else postgresql.insert
    return dialect(table).on_conflict_do_nothing()


def database_url(url: str | None, env: Mapping[str, str]) -> URL:
    """Return the checked URL of a database; the default one is below the state folder."""
    if not url:
        folder = state_folder(env)
        if not folder:
            raise StoreError("no state folder, HOME is not set: name a database with --db")
        return URL.create(_SQLITE, database=os.path.join(folder, FILE))
    try:
        parsed = make_url(url)
    except ArgumentError:  # the URL may hold a password, so it is not repeated
        raise StoreError(f"--db: not a database URL: {_ALLOWED}") from None
    kind, _, driver = parsed.drivername.partition("+")
    if kind == _SQLITE and driver in ("", "pysqlite"):
        if not parsed.database or parsed.database == ":memory:":
            raise StoreError(f"--db: a database in memory is lost at once: {_ALLOWED}")
        return parsed
    if kind in (_POSTGRESQL, "postgres") and driver in ("", "psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError(f"--db: unknown database {parsed.drivername!r}: {_ALLOWED}")


def _engine(url: URL) -> Engine:
    file = url.get_backend_name() == _SQLITE
    options: dict[str, Any] = {"timeout": _BUSY_SECONDS}
    if not file:
        options = {"connect_timeout": _CONNECT_SECONDS, "application_name": "groundwire"}
    try:
        engine = create_engine(
            url, connect_args=options, pool_pre_ping=not file, pool_timeout=_POOL_SECONDS
        )
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError(f"{error}: pip install 'groundwire[server]'") from None
    if file:
        event.listen(engine, "connect", _prepare_file)
        event.listen(engine, "begin", _begin)
    return engine


def _prepare_file(connection: Any, _record: Any) -> None:
    """Let ``_begin`` begin transactions; readers and a writer do not wait for each other."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A reader that turns writer fails at once when another one was faster, whatever the timeout;
    # who means to write waits for the lock at the beginning.
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _identity(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _make_file(path: str, store: Store, *, own: bool) -> None:
    """Make the file, and its folder only when it is the state folder, groundwire's ``own``."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        if own:
            os.makedirs(folder, 0o700, exist_ok=True)
        elif not os.path.isdir(folder):
            raise StoreError(f"{store.shown}: there is no folder {folder}: make it, or mend --db")
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoreError(f"{store.shown}: {reason}") from None


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
