"""The prompt editor in a real browser: load, preview, a new version, activate."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.admin.e2e.browser import Visitor, choose

pytestmark = pytest.mark.e2e
PATH = "/admin/?environment=development"


def text_of(page: Page) -> str:
    return page.get_by_label("Prompt", exact=True).input_value()


def test_a_new_version_is_saved_activated_and_used(user: Visitor) -> None:
    page = user.sign_in(PATH)
    expect(page.get_by_text("Current version: v1 | Last updated:")).to_be_visible()
    first = text_of(page)
    assert first.startswith("Evaluate your confidence in the response you just generated.")
    page.get_by_label("Prompt", exact=True).fill("Judge {response} by {context} for {query}.")
    page.get_by_label("Notes for a new version").fill("short")
    page.get_by_role("button", name="Save as New Version").click()
    expect(page.get_by_text("Version v2 is saved; it is not active yet.")).to_be_visible()
    expect(page.get_by_text("Current version: v1")).to_be_visible()
    page.get_by_role("button", name="Activate this version").click()
    expect(page.get_by_text("Version v2 is active.")).to_be_visible()
    expect(page.get_by_text("Current version: v2")).to_be_visible()
    page.reload()
    assert text_of(page) == "Judge {response} by {context} for {query}."
    choose(page, "Version", "v1")
    expect(page.get_by_label("Prompt", exact=True)).to_have_value(first)
    page.get_by_role("button", name="Load Active Prompt").click()
    expect(page.get_by_label("Prompt", exact=True)).to_have_value(
        "Judge {response} by {context} for {query}."
    )


def test_the_preview_fills_the_sample_in_and_warns_of_what_is_missing(user: Visitor) -> None:
    page = user.sign_in(PATH)
    page.get_by_role("region", name="Try it").get_by_label("Query").fill("Why {so}?")
    page.get_by_label("Prompt", exact=True).fill("Only the {query}, and {braces}.")
    page.get_by_role("button", name="Preview with Sample").click()
    expect(page.get_by_text("Only the Why {so}?, and {braces}.")).to_be_visible()
    warning = page.get_by_role("alert").filter(has_text="{context}")
    expect(warning).to_contain_text("{response}")


def test_an_empty_prompt_cannot_be_saved(user: Visitor) -> None:
    page = user.sign_in(PATH)
    field = page.get_by_label("Prompt", exact=True)
    field.fill("  ")
    expect(page.get_by_role("button", name="Save as New Version")).to_be_disabled()
    expect(field).to_have_attribute(
        "placeholder", "Evaluate your confidence in the response you just generated..."
    )
    expect(field).to_have_attribute("rows", "12")


def test_a_refused_prompt_says_why_and_stays(user: Visitor) -> None:
    page = user.sign_in(PATH)
    page.get_by_label("Prompt", exact=True).fill("x" * 20_001)
    page.get_by_role("button", name="Save as New Version").click()
    expect(page.get_by_text("No version was saved")).to_be_visible()
    expect(page.get_by_text("allowed: a text of up to 20000 characters")).to_be_visible()
    assert len(text_of(page)) == 20_001
