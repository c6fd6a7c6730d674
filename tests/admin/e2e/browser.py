"""A real browser on the real admin server."""

import re
import shutil
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from tests.admin.server import AdminServer

WIDE, NARROW = 1400, 400
HEIGHT = 900
expect.set_options(timeout=15_000)  # beside Spark and other browsers


def launch(playwright: Playwright) -> Browser:
    """Start the system's chromium; ``setup.sh`` installs it."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "chromium is missing: run 'make e2e', or tests/e2e/setup.sh"
    # root, as in a container, may not use the sandbox
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


class Visitor:
    """A user with a browser window: keeps what went to other hosts and what scripts complained."""

    def __init__(self, server: AdminServer, context: BrowserContext) -> None:
        self.server, self.context = server, context
        self.foreign: list[str] = []
        self.complaints: list[str] | deque[str] = []
        context.on("request", lambda request: self._note(request.url))
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("console", lambda message: self._hear(message.type, message.text))

    def _note(self, url: str) -> None:
        ours = (self.server.url + "/", "data:", "blob:")
        if not url.startswith(ours):
            self.foreign.append(url)

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error":
            self.complaints.append(text)

    def sign_in(self, path: str = "/admin/") -> Page:
        """Sign in, open a page, and return it when it is ready."""
        page = self.context.new_page()
        page.goto(self.server.url)
        page.get_by_label("Token").fill(self.server.admin)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/admin/")
        page.goto(self.server.url + path)
        return ready(page)

    def open(self, path: str) -> Page:
        page = self.context.new_page()
        page.goto(self.server.url + path)
        return ready(page)


@contextmanager
def visitor(
    browser: Browser, server: AdminServer, *, width: int = WIDE, dark: bool = False
) -> Iterator[Visitor]:
    """Open a window; at the end nothing must have gone wrong in it, or to another host."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT}, color_scheme="dark" if dark else "light"
    )
    context.set_default_timeout(15_000)
    one = Visitor(server, context)
    try:
        yield one
        assert one.foreign == []
        assert not one.complaints, one.complaints
    finally:
        context.close()


def ready(page: Page) -> Page:
    """Wait until a page is built and connected, and return it."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_function("window.socket && window.socket.connected")
    expect(page.locator(".loading")).to_have_count(0, timeout=20_000)
    return page


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name)


def press(target: Locator, key: str, times: int = 1) -> None:
    target.focus()
    for _ in range(times):
        target.press(key)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=re.compile(rf"^{re.escape(option)}(?![\w-])")).click()
