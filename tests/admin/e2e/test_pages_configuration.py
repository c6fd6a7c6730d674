"""The configuration page in a real browser: method, weights, judge, save, conflict."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from groundwire_admin.pages.kept import RESTORED
from tests.admin.e2e.browser import Visitor, choose, press, ready, slider, visitor
from tests.admin.e2e.visits import visit, visits
from tests.admin.server import AdminServer

pytestmark = pytest.mark.e2e

FORMULA_WEIGHT = "Formula Weight (Retrieval Quality)"


@visits(Path(__file__).with_name("configuration.pages"))
def test_visit(user: Visitor, steps: list[str]) -> None:
    visit(user, steps)


def test_a_menu_is_as_wide_as_its_field(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=judges")
    page.get_by_role("radio", name="LLM Judgment (Accurate, LLM Cost)").click()
    field = page.get_by_role("combobox", name="LLM Provider")
    field.click()
    menu, box = (
        one.evaluate("one => one.getBoundingClientRect().width")
        for one in (page.locator(".q-menu"), page.locator(".q-select").filter(has=field))
    )
    assert abs(menu - box) < 5


def test_what_is_typed_survives_leaving_another_place_and_a_new_server(
    browser: Browser, tmp_path: Path
) -> None:
    server = AdminServer(tmp_path / "home")
    with visitor(browser, server) as user:
        page = user.sign_in("/admin/?environment=development")
        press(slider(page, FORMULA_WEIGHT), "ArrowRight", 2)
        page.get_by_label("Prompt Content", exact=True).fill("Rate {response}.")
        expect(page.get_by_text("2 unsaved changes, unsaved prompt")).to_be_visible()
        page.get_by_label("Notes").fill("stricter")
        page.get_by_role("checkbox", name="Activate immediately").click()
        page.get_by_label("Price per query").fill("0.007")
        page.get_by_label("Query", exact=True).fill("Why?")
        page.get_by_role("button", name="Remove this document").first.click()
        choose(page, "Environment", "uat")
        expect(page.get_by_text("Unsaved prompt, unsaved notes")).to_be_visible()
        page.get_by_role("link", name="A/B report").click()
        page.get_by_role("spinbutton", name="formula").fill("50")
        expect(page.get_by_text("Total: 117% (must equal 100%)")).to_be_visible()
        server.stop()
        expect(page.get_by_text("Connection lost")).to_be_visible()
        expect(page.get_by_label("formula").and_(page.locator(":not([inert] *)"))).to_have_count(0)
        again = AdminServer(server.home, port=server.port)
        try:
            page.get_by_label("Token").fill(server.token)  # it comes by itself, and leads back
            page.keyboard.press("Enter")
            expect(page.get_by_role("spinbutton", name="formula")).to_have_value("50")
            page.goto(server.url + "/admin/?environment=development")
            expect(page.get_by_text(RESTORED)).to_be_visible()
            expect(page.get_by_label("Notes")).to_have_value("stricter")
            expect(page.get_by_role("checkbox", name="Activate immediately")).to_be_checked()
            expect(page.get_by_label("Price per query")).to_have_value("0.007000")
            expect(page.get_by_label("Query", exact=True)).to_have_value("Why?")
            expect(page.get_by_label("Similarity", exact=True)).to_have_count(1)
            expect(slider(page, FORMULA_WEIGHT)).to_have_value("0.6")
            prompt = page.get_by_label("Prompt Content", exact=True)
            expect(prompt).to_have_value("Rate {response}.")
            page.get_by_role("button", name="Discard changes").click()
            expect(page.get_by_text("No unsaved changes")).to_be_visible()
            page.reload()
            ready(page)
            expect(page.get_by_text(RESTORED)).to_have_count(0)
            expect(slider(page, FORMULA_WEIGHT)).to_have_value("0.5")
            page.goto(server.url + "/admin/ab")
            expect(page.get_by_text("Run the test to compare them.")).to_be_visible()
            expect(page.get_by_role("spinbutton", name="formula")).to_have_value("50")
            page.get_by_role("button", name="Discard changes").click()
            expect(page.get_by_role("spinbutton", name="formula")).to_have_value("33")
            user.complaints.clear()  # the browser notes the time without a server
        finally:
            again.close()
    server.close()
