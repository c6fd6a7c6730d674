"""The commands of the admin database on a real PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.admin.databases import postgres
from tests.admin.postgres import PostgreSQL
from tests.cli.command import Command
from tests.support.console import Steps, play, sessions

__all__ = ["postgres"]

pytestmark = pytest.mark.e2e


@pytest.fixture
def url(postgres: PostgreSQL) -> Iterator[str]:
    made = postgres.create()
    yield made
    postgres.drop(made)


@sessions(Path(__file__).with_name("postgres.console"))
def test_session(steps: Steps, cli: Command, url: str) -> None:
    play(cli, [[line.replace("URL", url) for line in step] for step in steps])
