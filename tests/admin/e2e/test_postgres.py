"""The commands of the admin database on a real PostgreSQL server."""

import json
from collections.abc import Iterator

import pytest

from tests.admin.databases import postgres
from tests.admin.postgres import PostgreSQL
from tests.cli.command import Command

__all__ = ["postgres"]

pytestmark = pytest.mark.e2e


@pytest.fixture
def url(postgres: PostgreSQL) -> Iterator[str]:
    made = postgres.create()
    yield made
    postgres.drop(made)


def test_a_server_is_migrated_on_demand_and_not_before(cli: Command, url: str) -> None:
    said = cli.refused("admin", "config", "get", "--db", url)
    assert "at revision none, 008 needed: run groundwire db migrate with this --db" in said
    assert cli.out("db", "migrate", "--db", url).endswith(": at revision 008, was empty\n")
    assert cli.out("db", "migrate", "--db", url).endswith(": at revision 008, nothing to do\n")
    down = cli.out("db", "migrate", "--db", url, "--downgrade", "base")
    assert down.endswith(": at revision none, was 008\n")
    assert not (cli.home / ".local").exists()


def test_configurations_and_the_report(cli: Command, url: str) -> None:
    cli.out("db", "migrate", "--db", url)
    made = cli.out("admin", "config", "set", "method=llm", "--version", "1", "--db", url)
    assert json.loads(made)["version"] == 2
    said = cli.refused("admin", "config", "set", "method=hybrid", "--version", "1", "--db", url)
    assert "version 1 is not the current one: version 2" in said
    kept = json.loads(cli.out("admin", "config", "get", "--db", url))
    assert kept["config"]["confidence_calculation"]["method"] == "llm"
    assert json.loads(cli.out("ab-report", "--format", "json", "--db", url))["criteria"]
