"""A running admin server, the database of each kind in turn, and the command."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.admin.databases import database_url, empty_store, postgres, store
from tests.admin.server import AdminServer
from tests.cli.conftest import cli

__all__ = ["cli", "database_url", "empty_store", "postgres", "store"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """Return a server with an empty home folder, without a limit of rate."""
    admin = AdminServer(tmp_path_factory.mktemp("admin") / "home", "--rate", "0")
    yield admin
    admin.close()
