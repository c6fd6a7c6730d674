"""The configuration page in a real browser: method, weights, judge, save, conflict."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.browser import choose, press, slider, visitor
from tests.server.admin.server import AdminServer

pytestmark = pytest.mark.e2e
FORMULA_WEIGHT, LLM_WEIGHT = "Formula Weight (Retrieval Quality)", "LLM Weight (Semantic Quality)"

ALL_PANELS = {"Formula weights", "LLM settings", "Confidence Evaluation Prompt", "Hybrid weights"}
PANELS = {
    "Formula Only (Fast, No Cost)": {"Formula weights"},
    "LLM Judgment (Accurate, LLM Cost)": {"LLM settings", "Confidence Evaluation Prompt"},
    "Hybrid (Best Balance)": ALL_PANELS,
}


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("No unsaved changes")).to_be_visible()


def test_the_method_decides_which_panels_are_there(
    browser: Browser, admin_server: AdminServer
) -> None:
    with visitor(browser, admin_server) as user:
        page = user.sign_in("/admin/?environment=methods")
        for method, shown in PANELS.items():
            page.get_by_role("radio", name=method).click()
            for name in ALL_PANELS:
                region = page.get_by_role("region", name=name)
                expect(region).to_be_visible(visible=name in shown)


def test_the_other_weight_follows_and_both_are_kept(
    browser: Browser, admin_server: AdminServer
) -> None:
    with visitor(browser, admin_server) as user:
        page = user.sign_in("/admin/?environment=weights")
        page.get_by_role("radio", name="Hybrid (Best Balance)").click()
        one, other = slider(page, FORMULA_WEIGHT), slider(page, LLM_WEIGHT)
        press(one, "ArrowRight", 5)
        expect(other).to_have_value("0.15")
        expect(one).to_have_value("0.85")
        press(other, "ArrowRight")
        expect(one).to_have_value("0.8")
        save(page)
        page.reload()
        expect(slider(page, FORMULA_WEIGHT)).to_have_value("0.8")
        expect(slider(page, LLM_WEIGHT)).to_have_value("0.2")


def test_formula_weights_that_do_not_sum_to_one_cannot_be_saved(
    browser: Browser, admin_server: AdminServer
) -> None:
    with visitor(browser, admin_server) as user:
        page = user.sign_in("/admin/?environment=sums")
        press(slider(page, "Similarity Weight"), "ArrowLeft", 2)
        expect(page.get_by_text("Total: 0.90 (must equal 1.0)")).to_be_visible()
        expect(page.get_by_text("The formula weights sum to 0.90")).to_be_visible()
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
        press(slider(page, "Source Quality Weight"), "ArrowRight", 2)
        expect(page.get_by_text("Total: 1.00 (must equal 1.0)")).to_be_visible()
        save(page)


def test_a_provider_brings_its_model_and_a_number_beyond_its_bounds_is_refused(
    browser: Browser, admin_server: AdminServer
) -> None:
    with visitor(browser, admin_server) as user:
        page = user.sign_in("/admin/?environment=judges")
        page.get_by_role("radio", name="LLM Judgment (Accurate, LLM Cost)").click()
        choose(page, "Provider", "Anthropic (Claude)")
        expect(page.get_by_role("combobox", name="Model")).to_have_value(
            "Claude 3 Haiku - price not known"
        )
        tokens = page.get_by_label("Max Tokens")
        tokens.fill("501")
        expect(
            page.get_by_text("Max Tokens: allowed: a whole number from 50 to 500").first
        ).to_be_visible()
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
        tokens.fill("500")
        save(page)
        page.reload()
        expect(page.get_by_label("Max Tokens")).to_have_value("500")
