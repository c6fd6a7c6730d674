"""Hook settings and the history of changes in a real browser, and what the next hook does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from groundwire.settings import SHIPPED
from tests.admin.e2e.browser import Visitor, choose, press, slider, visitor
from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.hook.messages import LONE

pytestmark = pytest.mark.e2e
SAVE = "Save and activate"


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
        press(words_alone, "ArrowLeft", 20)
        expect(page.get_by_text("1 unsaved change")).to_be_visible()
        page.get_by_role("button", name=SAVE).click()
        expect(page.get_by_text("thresholds.words_block = 70")).to_be_visible()
        assert decision(admin_server, "after") == "block"
        page.reload()
        expect(slider(page, "Block on words alone from")).to_have_value("70")
        page.goto(admin_server.url + "/admin/changes?kind=hook")
        expect(page.get_by_text("This is the current version.")).to_be_visible()
        page.goto(admin_server.url + "/admin/hook")
        page.get_by_role("button", name="Reset all of these").click()
        expect(page.get_by_text("Nothing has been changed here yet")).to_be_visible()
        assert decision(admin_server, "back") == "none"


def test_the_mode_is_kept_and_a_restored_version_holds_again(user: Visitor) -> None:
    page = user.sign_in("/admin/hook")
    for mode in ("Report:", "Off:"):
        page.get_by_role("radio", name=mode).click()
        page.get_by_role("button", name=SAVE).click()
        expect(page.get_by_text(f"mode = {mode[:-1].lower()}")).to_be_visible()
    page.goto(user.server.url + "/admin/changes")
    choose(page, "Changes of", "Hook settings")
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


def test_two_tabs_at_once(user: Visitor) -> None:
    first = user.sign_in("/admin/hook")
    second = user.open("/admin/hook")
    press(slider(first, "Report from"), "ArrowRight")
    press(slider(second, "Block from"), "ArrowRight")
    first.get_by_role("button", name=SAVE).click()
    expect(first.get_by_text("No unsaved changes")).to_be_visible()
    second.get_by_role("button", name=SAVE).click()
    expect(second.get_by_text("Somebody else saved first")).to_be_visible()
    second.get_by_role("button", name="Load theirs, keep my changes on top").click()
    expect(slider(second, "Report from")).to_have_value("51")
    expect(slider(second, "Block from")).to_have_value(f"{SHIPPED.thresholds.block + 1}")
    second.get_by_role("button", name=SAVE).click()
    expect(second.get_by_text("No unsaved changes")).to_be_visible()
    settings = (user.server.home / ".config/groundwire/admin.toml").read_text("utf-8")
    assert "report = 51" in settings
    assert f"block = {SHIPPED.thresholds.block + 1}" in settings


def test_what_the_settings_refuse_is_said_and_nothing_is_lost(user: Visitor) -> None:
    page = user.sign_in("/admin/hook")
    path = user.server.home / ".config/groundwire/admin.toml"
    before = path.read_bytes() if path.exists() else b""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mode = [", "utf-8")
    try:
        page.reload()
        expect(page.get_by_text("A settings file has problems")).to_be_visible()
        press(slider(page, "Block from"), "ArrowRight")
        page.get_by_role("button", name=SAVE).click()
        expect(page.get_by_text("Not saved")).to_be_visible()
        expect(page.get_by_text("1 unsaved change")).to_be_visible()
        assert path.read_text("utf-8") == "mode = ["
    finally:
        path.write_bytes(before)


def test_a_configuration_is_restored(user: Visitor) -> None:
    page = user.sign_in("/admin/?environment=production")
    page.get_by_role("radio", name="Hybrid (Best Balance)").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("No unsaved changes")).to_be_visible()
    page.goto(user.server.url + "/admin/changes")
    panels = page.locator("section.panel").filter(has_text="production/production, version")
    expect(panels.first).to_contain_text("This is the current version.")
    expect(panels.first).to_contain_text("hybrid")
    panels.last.get_by_role("button", name="Restore this version").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore").click()
    expect(panels.first).to_contain_text("restored")
    page.goto(user.server.url + "/admin/?environment=production")
    expect(page.get_by_role("radio", name="Formula Only (Fast, No Cost)")).to_be_checked()
