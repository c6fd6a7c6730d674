"""What all admin pages have, in a real browser: login, keyboard, width, theme."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.admin.e2e.browser import NARROW, WIDE, Visitor, ready, visitor
from tests.admin.server import AdminServer

NAMES = "?environment=development hook decisions answers trends changes changes?kind=hook "
PATHS = [f"/admin/{name}" for name in f"{NAMES}changes?kind=prompt ab".split()]
#: The elements to fill in or to press that have no name, in JavaScript.
NAMELESS = """() => [...document.querySelectorAll('input, textarea, button, [role=slider]')]
    .filter(e => e.checkVisibility() && e.type !== 'hidden')
    .filter(e => !(e.ariaLabel || e.labels?.length || e.innerText?.trim()))
    .map(e => e.outerHTML.slice(0, 200))"""

pytestmark = pytest.mark.e2e


def test_a_page_that_there_is_not_says_so_in_our_frame(
    browser: Browser, admin_server: AdminServer
) -> None:
    with visitor(browser, admin_server) as user:
        page = user.sign_in()
        answer = page.goto(admin_server.url + "/admin/nothing")
        assert answer is not None
        assert answer.status == 404
        expect(ready(page).get_by_role("heading", name="Page not found")).to_be_visible()
        page.get_by_role("link", name="Go to the start page").click()
        expect(page.get_by_role("heading", level=1, name="Confidence")).to_be_visible()
        user.complaints.clear()  # the browser itself notes the 404


def focused(page: Page) -> str:
    """Return what a screen reader would call the focused element."""
    found = page.evaluate(
        "(e => e.getAttribute('aria-label') || e.innerText || e.value || '')"
        "(document.activeElement)"
    )
    return str(found).strip()


def tab_to(page: Page, name: str, most: int = 60) -> None:
    """Press Tab until the element of this name has the focus, which has to be visible."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if focused(page) == name:
            outline = "getComputedStyle(document.activeElement).outlineStyle"
            assert page.evaluate(outline) != "none", f"the focus on {name} cannot be seen"
            return
    raise AssertionError(f"{name} cannot be reached with the keyboard")


def test_nobody_sees_a_page_without_signing_in(user: Visitor) -> None:
    page = user.context.new_page()
    page.goto(user.server.url + "/admin/hook")
    expect(page.get_by_label("Token")).to_be_focused()
    page.get_by_label("Token").fill(user.server.admin)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hook settings")
    ready(page)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.goto(user.server.url + "/admin/decisions")
    expect(page.get_by_label("Token")).to_be_visible()


@pytest.fixture(scope="module")
def changed(admin_server: AdminServer) -> AdminServer:
    """A server with changes of the hook's settings to show."""
    hook = {"allow": [{"phrase": "as planned", "reason": "house style"}], "notify": False}
    for settings in (hook, {"notify": True}):
        answer = admin_server.client.put("/api/v1/admin/hook-config", json={"settings": settings})
        assert answer.status_code == 200, answer.text
    return admin_server


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_every_page_fits_names_its_fields_and_asks_nobody_else(
    browser: Browser, changed: AdminServer, width: int, dark: bool
) -> None:
    with visitor(browser, changed, width=width, dark=dark) as user:
        page = user.sign_in()
        for path in PATHS:
            page.goto(changed.url + path)
            seen = ready(page).locator("body").inner_text()
            assert not re.findall(r"\b(?:None|True|False|nan)\b|[{\[]'.*", seen), path
            assert page.evaluate(NAMELESS) == [], path
            beyond = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert beyond <= 0, f"{path} is {beyond} pixels too wide"
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert background == ("rgb(17, 19, 22)" if dark else "rgb(244, 245, 247)")
            assert page.evaluate("document.title").endswith("- groundwire")


def test_a_weight_is_changed_and_saved_with_the_keyboard_alone(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=keyboard")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    page.keyboard.press("Enter")
    tab_to(page, "Hybrid (Best Balance)")
    page.keyboard.press("Space")
    tab_to(page, "Formula Weight (Retrieval Quality)")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("slider", name="LLM Weight (Semantic Quality)")).to_have_value("0.45")
    tab_to(page, "Save")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No unsaved changes")).to_be_visible()
    page.reload()
    expect(page.get_by_role("slider", name="LLM Weight (Semantic Quality)")).to_have_value("0.45")


def test_the_name_of_a_model_is_text(browser: Browser, admin_server: AdminServer) -> None:
    name = 'x" innerHTML="<b>owned</b>'
    method = {"method": "llm", "llm_settings": {"provider": "openai", "model": name}}
    stored = admin_server.client.put(
        "/api/v1/admin/agent-config?environment=names",
        json={"config": {"confidence_calculation": method}},
    )
    assert stored.status_code == 200, stored.text
    with visitor(browser, admin_server) as user:
        page = user.sign_in("/admin/?environment=names")
        costs = ready(page).get_by_role("region", name="Estimated Monthly Cost")
        expect(costs.get_by_text(name, exact=True)).to_be_visible()
