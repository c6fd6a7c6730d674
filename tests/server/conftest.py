"""A running server for the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.resident import Resident


@pytest.fixture
def resident(home: Path) -> Iterator[Resident]:
    with Resident(home) as server:
        yield server
