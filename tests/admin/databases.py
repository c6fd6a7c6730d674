"""The database under test: SQLite always, PostgreSQL with ``-m e2e`` (``make e2e``)."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.base.errors import GroundwireError
from groundwire_server.admin.store.database import Store, open_store, upgrade
from tests.admin.postgres import PostgreSQL

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.e2e)]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """Return a server that runs until the tests end."""
    with PostgreSQL() as server:
        yield server


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        (tmp_path / "state").mkdir()
        return f"sqlite:///{tmp_path / 'state' / 'groundwire.db'}"
    server: PostgreSQL = request.getfixturevalue("postgres")
    return server.create()


@pytest.fixture
def empty_store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url, {})
    yield store
    store.close()


@pytest.fixture
def store(empty_store: Store) -> Store:
    upgrade(empty_store)
    return empty_store


def at_once(count: int, act: Callable[[int], object]) -> list[object]:
    """Return what ``act`` returns in threads that start together, or the kind of its refusal."""
    barrier = threading.Barrier(count)

    def run(number: int) -> object:
        barrier.wait()
        try:
            return act(number)
        except GroundwireError as error:
            return type(error)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
