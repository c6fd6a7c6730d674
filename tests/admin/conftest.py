"""A running admin server, its service over the database of each kind in turn, and the command."""

from collections.abc import Iterator

import pytest

from groundwire_server.admin.service import Admin
from groundwire_server.admin.store.database import Store
from tests.admin.databases import database_url, empty_store, postgres, store
from tests.admin.server import AdminServer
from tests.conftest import Hook

__all__ = ["database_url", "empty_store", "postgres", "store"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """Return a server with an empty home folder, without a limit of rate."""
    with AdminServer(tmp_path_factory.mktemp("admin") / "home", "--rate", "0") as admin:
        yield admin


@pytest.fixture
def admin(store: Store, hook: Hook) -> Admin:
    """Return the service over an empty database and the hook's home folder."""
    return Admin(store, hook.env)
