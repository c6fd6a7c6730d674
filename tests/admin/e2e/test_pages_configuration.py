"""The configuration page in a real browser: method, weights, judge, save, conflict."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from groundwire_admin.pages.kept import RESTORED
from tests.admin.e2e.browser import Visitor, choose, press, ready, slider, visitor
from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.hook.messages import LONE

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
    field = page.get_by_role("combobox", name="LLM Provider")
    field.click()
    menu, box = (
        one.evaluate("one => one.getBoundingClientRect().width")
        for one in (page.locator(".q-menu"), page.locator(".q-select").filter(has=field))
    )
    assert abs(menu - box) < 5
    page.keyboard.press("Escape")
    choose(page, "LLM Provider", "Anthropic (Claude)")
    expect(page.get_by_role("combobox", name="Model")).to_have_value(
        "Claude 3 Haiku - $0.25 in, $1.25 out per million tokens"
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
    expect(second.get_by_text("Someone else saved first")).to_be_visible()
    row = second.get_by_role("row").filter(has_text="llm_settings.max_tokens")
    expect(row).to_contain_text("90")
    assert stored_in(user.server, "production")["method"] == "llm"
    second.get_by_role("button", name="Apply my changes to theirs").click()
    expect(second.get_by_label("Max Tokens")).to_have_value("90")
    expect(slider(second, LLM_WEIGHT)).to_have_value("0.4")
    save(second)
    stored = stored_in(user.server, "production")
    assert (stored["method"], stored["llm_settings"]["max_tokens"]) == ("hybrid", 90)
    assert stored["hybrid_settings"] == {"formula_weight": 0.6, "llm_weight": 0.4}


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
        again = AdminServer(server.home, port=server.port)
        try:
            page = user.sign_in("/admin/?environment=development")
            expect(page.get_by_text(RESTORED)).to_be_visible()
            expect(page.get_by_label("Notes")).to_have_value("stricter")
            expect(page.get_by_role("checkbox", name="Activate immediately")).to_be_checked()
            expect(page.get_by_label("Price per query")).to_have_value("0.007000")
            expect(page.get_by_label("Query", exact=True)).to_have_value("Why?")
            expect(page.get_by_label("Similarity", exact=True)).to_have_count(1)
            expect(slider(page, FORMULA_WEIGHT)).to_have_value("0.6")
            prompt = page.get_by_label("Prompt Content", exact=True)
            expect(prompt).to_have_value("Rate {response}.")
            page.get_by_role("button", name="Load Active Prompt").click()
            expect(prompt).not_to_have_value("Rate {response}.")
            page.get_by_role("button", name="Restore my text").click()
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


def test_the_cost_of_a_month(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=costs")
    panel = page.get_by_role("region", name="Estimated Monthly Cost")

    def costs(month: str) -> list[str]:
        asked = [f"{one}{month}/month (100% queries)" for one in ("LLM", "Hybrid")]
        return ["Formula$0/month (no LLM calls)", asked[0], f"{asked[1]}, combined scores"]

    rows = panel.get_by_role("row")
    expect(rows).to_have_text(costs("$2"))
    expect(panel.get_by_text("Based on 10,000 queries/month")).to_be_visible()
    panel.get_by_label("Queries per month").fill("100000")
    expect(rows).to_have_text(costs("$20"))
    expect(panel.get_by_text("Based on 100,000 queries/month")).to_be_visible()
    page.get_by_role("radio", name="LLM Judgment (Accurate, LLM Cost)").click()
    choose(page, "Model", "GPT-4 -")
    expect(rows).to_have_text(costs("$200"))
    price = panel.get_by_label("Price per query")
    expect(price).to_have_value("0.002000")
    price.fill("0.003")
    panel.get_by_role("button", name="Save price").click()
    expect(rows).to_have_text(costs("$300"))


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


def decision(server: AdminServer, session: str) -> str:
    """Return what the command hook says to a lone guess in a new session."""
    hook = Hook(server.home)
    hook.start(session_id=session)
    return str(hook(session_id=session, last_assistant_message=LONE).get("decision", "none"))


def test_a_threshold_moved_on_the_page_changes_what_the_next_hook_does(
    browser: Browser, admin_server: AdminServer
) -> None:
    assert decision(admin_server, "before") == "none"
    with visitor(browser, admin_server) as user:
        page = user.sign_in("/admin/hook")
        words_alone = slider(page, "Block on words alone from")
        expect(words_alone).to_have_value("90")
        expect(page.get_by_text("Would stop 0 and report 1 of the last 1 turn.")).to_have_count(5)
        press(words_alone, "ArrowLeft", 20)
        expect(page.get_by_text("Would stop 1 and report 0 of the last 1 turn.")).to_have_count(1)
        together = page.get_by_text("All sliders together would stop 1")
        expect(together).to_have_count(0)
        press(slider(page, "Report from"), "ArrowRight")
        expect(together).to_be_visible()
        press(slider(page, "Report from"), "ArrowLeft")
        expect(page.get_by_text("1 unsaved change")).to_be_visible()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("thresholds.words_block = 70")).to_be_visible()
        assert decision(admin_server, "after") == "block"
        page.reload()
        expect(slider(page, "Block on words alone from")).to_have_value("70")
        page.goto(admin_server.url + "/admin/changes?kind=hook")
        expect(page.get_by_text("Current version")).to_be_visible()
        page.goto(admin_server.url + "/admin/hook")
        page.get_by_role("button", name="Reset these settings").click()
        expect(page.get_by_text("Nothing is set on this page")).to_be_visible()
        assert decision(admin_server, "back") == "none"


def test_the_mode_is_kept_and_a_restored_version_holds_again(user: Visitor) -> None:
    page = user.sign_in("/admin/hook")
    for mode in ("Report:", "Off:"):
        page.get_by_role("radio", name=mode).click()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text(f"mode = {mode[:-1].lower()}")).to_be_visible()
    page.goto(user.server.url + "/admin/changes")
    choose(page, "Show", "Hook settings")
    page.wait_for_url("**kind=hook")
    panel = page.get_by_role("region").filter(has_text="report").filter(has_text="enforce")
    older = page.locator("section.panel").filter(has=page.get_by_role("button")).first
    expect(panel.or_(older).first).to_be_visible()
    older.get_by_role("button", name="Restore this version").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Restore admin.toml")
    dialog.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("restored", exact=True)).to_be_visible()
    page.goto(user.server.url + "/admin/hook")
    expect(page.get_by_role("radio", name="Report:")).to_be_checked()


def test_what_the_settings_refuse_is_said_and_nothing_is_lost(user: Visitor) -> None:
    page = user.sign_in("/admin/hook")
    path = user.server.home / ".config/groundwire/admin.toml"
    before = path.read_bytes() if path.exists() else b""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mode = [", "utf-8")
    try:
        page.reload()
        expect(page.get_by_text("A settings file has errors")).to_be_visible()
        press(slider(page, "Block from"), "ArrowRight")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Not saved")).to_be_visible()
        expect(page.get_by_text("1 unsaved change")).to_be_visible()
        assert path.read_text("utf-8") == "mode = ["
    finally:
        path.write_bytes(before)


PATH = "/admin/?environment=development"


def test_a_new_version_is_saved_activated_and_used(user: Visitor) -> None:
    page = user.sign_in(PATH)
    expect(page.get_by_text("Current version: v1 | Last updated:")).to_be_visible()
    first = page.get_by_label("Prompt Content", exact=True).input_value()
    assert first.startswith("Evaluate your confidence in the response you just generated.")
    page.get_by_label("Prompt Content", exact=True).fill(
        "Judge {response} by {context} for {query}."
    )
    page.get_by_label("Notes").fill("short")
    page.get_by_role("button", name="Save as New Version").click()
    expect(page.get_by_text("Saved, not active yet: v2")).to_be_visible()
    expect(page.get_by_text("Current version: v1")).to_be_visible()
    page.get_by_role("button", name="Activate this version").click()
    expect(page.get_by_text("v2 is now active.")).to_be_visible()
    expect(page.get_by_text("Current version: v2")).to_be_visible()
    page.reload()
    prompt = page.get_by_label("Prompt Content", exact=True)
    assert prompt.input_value() == "Judge {response} by {context} for {query}."
    choose(page, "Version", "v1")
    expect(page.get_by_label("Prompt Content", exact=True)).to_have_value(first)
    page.get_by_role("button", name="Load Active Prompt").click()
    expect(page.get_by_label("Prompt Content", exact=True)).to_have_value(
        "Judge {response} by {context} for {query}."
    )


def test_the_preview_fills_the_sample_in_and_warns_of_what_is_missing(user: Visitor) -> None:
    page = user.sign_in(PATH)
    page.get_by_role("region", name="Try it").get_by_label("Query").fill("Why {so}?")
    page.get_by_label("Prompt Content", exact=True).fill("Only the {query}, and {braces}.")
    page.get_by_role("button", name="Preview with Sample").click()
    expect(page.get_by_text("Only the Why {so}?, and {braces}.")).to_be_visible()
    warning = page.get_by_role("alert").filter(has_text="{context}")
    expect(warning).to_contain_text("{response}")
