"""The database under test: SQLite always, PostgreSQL with ``-m e2e`` (``make e2e``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire_admin.store.database import Store, open_store
from groundwire_admin.store.migrate import upgrade
from tests.admin.postgres import PostgreSQL

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.e2e)]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """Return a server that runs until the tests end."""
    with PostgreSQL() as server:
        yield server


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'state' / 'groundwire.db'}"
        return
    server: PostgreSQL = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)


@pytest.fixture
def empty_store(database_url: str) -> Iterator[Store]:
    """Return an opened database without tables."""
    store = open_store(database_url, {})
    yield store
    store.close()


@pytest.fixture
def store(empty_store: Store) -> Store:
    """Return a database at the newest revision."""
    upgrade(empty_store)
    return empty_store
