"""The configuration page in a real browser: method, weights, judge, save, conflict."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.admin.e2e.browser import Visitor, choose, press, slider
from tests.admin.server import AdminServer, without_table

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


def stored_in(server: AdminServer, environment: str) -> dict[str, Any]:
    """Return what the server has stored, asked without a browser."""
    answer = server.client.get(f"/api/v1/admin/agent-config?environment={environment}")
    document: dict[str, Any] = answer.json()["config"]["confidence_calculation"]
    return document


def test_the_method_decides_which_panels_are_there(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=methods")
    for method, shown in PANELS.items():
        page.get_by_role("radio", name=method).click()
        for name in ALL_PANELS:
            region = page.get_by_role("region", name=name)
            expect(region).to_be_visible(visible=name in shown)


def test_the_other_weight_follows_and_both_are_kept(user: Visitor) -> None:
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


def test_formula_weights_that_do_not_sum_to_one_cannot_be_saved(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=sums")
    press(slider(page, "Similarity Weight"), "ArrowLeft", 2)
    expect(page.get_by_text("Total: 0.90 (must equal 1.0)")).to_be_visible()
    expect(page.get_by_text("The formula weights sum to 0.90")).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    press(slider(page, "Source Quality Weight"), "ArrowRight", 2)
    expect(page.get_by_text("Total: 1.00 (must equal 1.0)")).to_be_visible()
    save(page)


def test_a_provider_brings_its_model_and_a_number_beyond_its_bounds_is_refused(
    user: Visitor,
) -> None:
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


def test_the_judge_s_models_fail_to_load(user: Visitor) -> None:
    """The list is empty and says so, and nothing else on the page stops working."""
    page = user.sign_in("/admin/?environment=broken")
    page.get_by_role("radio", name="Hybrid (Best Balance)").click()
    with without_table(user.server, "options"):
        choose(page, "Provider", "Azure OpenAI")
        expect(page.get_by_text("The list of models could not be loaded")).to_be_visible()
        expect(page.get_by_role("combobox", name="Model")).to_have_value("")
    choose(page, "Provider", "OpenAI")
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("^GPT-4o Mini"))


def test_two_tabs_at_once(user: Visitor) -> None:
    """The second one to save is told, overwrites nothing, and keeps what was typed."""
    first = user.sign_in("/admin/?environment=production")
    second = user.open("/admin/?environment=production")
    first.get_by_role("radio", name="LLM Judgment (Accurate, LLM Cost)").click()
    first.get_by_label("Max Tokens").fill("90")
    second.get_by_role("radio", name="Hybrid (Best Balance)").click()
    press(slider(second, FORMULA_WEIGHT), "ArrowLeft", 2)
    expect(slider(second, LLM_WEIGHT)).to_have_value("0.4")
    save(first)
    second.get_by_role("button", name="Save", exact=True).click()
    expect(second.get_by_text("Somebody else saved first")).to_be_visible()
    row = second.get_by_role("row").filter(has_text="llm_settings.max_tokens")
    expect(row).to_contain_text("90")
    assert stored_in(user.server, "production")["method"] == "llm"
    second.get_by_role("button", name="Load theirs, keep my changes on top").click()
    expect(second.get_by_label("Max Tokens")).to_have_value("90")
    expect(slider(second, LLM_WEIGHT)).to_have_value("0.4")
    save(second)
    stored = stored_in(user.server, "production")
    assert (stored["method"], stored["llm_settings"]["max_tokens"]) == ("hybrid", 90)
    assert stored["hybrid_settings"] == {"formula_weight": 0.6, "llm_weight": 0.4}


def test_the_second_tab_can_give_up(user: Visitor) -> None:
    first = user.sign_in("/admin/?environment=uat")
    second = user.open("/admin/?environment=uat")
    press(slider(first, LLM_WEIGHT), "ArrowRight")
    press(slider(second, LLM_WEIGHT), "ArrowLeft")
    save(first)
    second.get_by_role("button", name="Save", exact=True).click()
    second.get_by_role("button", name="Load theirs, discard mine").click()
    expect(slider(second, LLM_WEIGHT)).to_have_value("0.45")
    expect(second.get_by_text("No unsaved changes")).to_be_visible()
    expect(second.get_by_text("Somebody else saved first")).to_be_hidden()


def test_what_was_typed_can_be_discarded(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=discard")
    press(slider(page, "Similarity Weight"), "ArrowLeft", 3)
    expect(page.get_by_text("Total: 0.85")).to_be_visible()
    page.get_by_role("button", name="Discard changes").click()
    expect(slider(page, "Similarity Weight")).to_have_value("0.8")
    expect(page.get_by_text("No unsaved changes")).to_be_visible()


def test_the_cost_of_a_month(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=costs")
    panel = page.get_by_role("region", name="Estimated Monthly Cost")
    for method, cost in (("Formula", "$0"), ("LLM", "$2"), ("Hybrid", "$2")):
        expect(panel.get_by_role("row").filter(has_text=method)).to_contain_text(cost)
    expect(panel.get_by_text("Based on 10,000 queries/month")).to_be_visible()
    panel.get_by_label("Queries per month").fill("100000")
    expect(panel.get_by_role("row").filter(has_text="Hybrid")).to_contain_text("$20")
    expect(panel.get_by_text("Based on 100,000 queries/month")).to_be_visible()
    page.get_by_role("radio", name="LLM Judgment (Accurate, LLM Cost)").click()
    choose(page, "Model", "GPT-4 -")
    expect(panel.get_by_role("row").filter(has_text="LLM")).to_contain_text("$200")


def test_a_sample_is_scored_with_what_is_typed(user: Visitor) -> None:
    """V002-02: similarities .90 and .85, 150 characters, give 0.818."""
    page = user.sign_in("/admin/?environment=samples")
    panel = page.get_by_role("region", name="Try it")
    expect(panel.get_by_label("Similarity")).to_have_count(2)
    for field, value in zip(panel.get_by_label("Similarity").all(), ("0.9", "0.85"), strict=True):
        field.fill(value)
    panel.get_by_label("Response").fill("x" * 150)
    panel.get_by_role("button", name="Run sample").click()
    expect(panel.get_by_text("0.818", exact=True)).to_be_visible()
    expect(panel.get_by_text("✓ High Confidence")).to_be_visible()
    expect(panel.get_by_text("0.885")).to_be_visible()
    press(slider(page, "Similarity Weight"), "ArrowLeft", 16)
    press(slider(page, "Response Length Weight"), "ArrowRight", 16)
    expect(page.get_by_text("Total: 1.00")).to_be_visible()
    panel.get_by_role("button", name="Run sample").click()
    expect(panel.get_by_text("0.510", exact=True)).to_be_visible()
    expect(panel.get_by_text("Advisory only — Confidence: 51%.")).to_be_visible()


def test_without_a_key_the_judge_is_said_to_be_silent(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=nokey")
    page.get_by_role("radio", name="Hybrid (Best Balance)").click()
    page.get_by_role("button", name="Run sample").click()
    notice = page.get_by_role("alert").filter(has_text="The judge did not contribute to this score")
    expect(notice).to_contain_text("OPENAI_API_KEY")
