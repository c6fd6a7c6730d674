"""A browser, and the server that it visits."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.admin.e2e.browser import Visitor, launch, visitor
from tests.admin.server import AdminServer


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window; its event loop must end before other tests run one."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def admin_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """``groundwire serve --admin`` with an empty home folder, one for the tests of a file."""
    with AdminServer(tmp_path_factory.mktemp("admin home")) as server:
        yield server
    assert [line for line in server.lines() if line["level"] == "error"] == []


@pytest.fixture
def user(browser: Browser, admin_server: AdminServer) -> Iterator[Visitor]:
    """A user with a wide, light window."""
    with visitor(browser, admin_server) as one:
        yield one
