"""Requests and answers of the admin server, and its commands: the files ``*.console`` here."""

from pathlib import Path

import pytest

from tests.admin.databases import BOTH
from tests.admin.postgres import PostgreSQL
from tests.admin.web import Web
from tests.cli.command import Command
from tests.support.console import Steps, play, sessions

HERE = Path(__file__).parent
#: Sessions of a shell, and those with a database of PostgreSQL.
SHELL = {HERE / "cli.console", HERE / "postgres.console"}


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest) -> str | None:
    """Return the URL of an empty database of PostgreSQL, none for that in the home folder."""
    is_file = request.param == "sqlite"
    return None if is_file else request.getfixturevalue("postgres").create()


@sessions(*sorted(set(HERE.glob("*.console")) - SHELL))
def test_session(steps: Steps, cli: Command, url: str | None) -> None:
    with Web(cli, url) as web:
        play(cli, steps, web=web)


@sessions(HERE / "cli.console")
def test_session_of_a_shell(steps: Steps, cli: Command) -> None:
    with Web(cli) as web:
        play(cli, steps, web=web)


@pytest.mark.e2e
@sessions(HERE / "postgres.console")
def test_session_on_postgresql(steps: Steps, cli: Command, postgres: PostgreSQL) -> None:
    url = postgres.create()
    play(cli, [[line.replace("URL", url) for line in step] for step in steps])
