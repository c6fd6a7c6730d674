"""A running admin server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.admin.server import AdminServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """Return a server with an empty home folder, without a limit of rate."""
    admin = AdminServer(tmp_path_factory.mktemp("admin") / "home", "--rate", "0")
    yield admin
    admin.close()
