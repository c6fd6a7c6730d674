"""Pages of settings and of decisions in a real browser: the visits in the files beside this one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.admin.e2e.browser import Visitor, visitor
from tests.admin.e2e.visits import visit, visits
from tests.admin.server import AdminServer
from tests.cli.command import Command
from tests.support.console import play, steps_of

pytestmark = pytest.mark.e2e
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """The server of a user who had turns before it started."""
    cli = Command(tmp_path_factory.mktemp("decided"))
    play(cli, steps_of((HERE / "decided.console").read_text(encoding="utf-8")))
    with AdminServer(cli.home, "--rate", "0") as server:
        yield server


@visits(HERE / "configuration.pages")
def test_settings(user: Visitor, steps: list[str]) -> None:
    visit(user, steps)


@visits(HERE / "decisions.pages")
def test_decisions(browser: Browser, decided: AdminServer, steps: list[str]) -> None:
    with visitor(browser, decided) as user:
        visit(user, steps)
