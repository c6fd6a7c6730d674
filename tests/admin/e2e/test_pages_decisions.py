"""Decisions, answers and figures in a real browser, over turns of the real command hook."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from groundwire.settings import SHIPPED
from tests.admin.e2e.browser import HEIGHT, NARROW, Visitor, ready
from tests.admin.e2e.visits import visit, visits
from tests.admin.judged import UNMARKED, WHY, judged_turn
from tests.admin.server import AdminServer, without_table
from tests.conftest import Hook
from tests.e2e.client import REPOSITORY
from tests.hook.messages import CLEAN, FALSE, stop, write_turn
from tests.server.test_same_answers import placed

pytestmark = pytest.mark.e2e
OTHER = "The build is green, and all tests pass."
MARKUP = "<b>All tests pass</b> now."
#: A turn whose message says that all tests pass over a run with failures.
CASE = REPOSITORY / "fixtures/hook/pair-count-over-failures"
SESSION = json.loads((CASE / "event.json").read_text(encoding="utf-8"))["session_id"]


@pytest.fixture(scope="module")
def admin_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """A server whose user had five turns; the transcript of one is gone."""
    server = AdminServer(tmp_path_factory.mktemp("decided") / "home", "--rate", "0")
    folder = server.projects / "-home-dev-shop"
    folder.mkdir(parents=True)
    hook = Hook(server.home)
    for number, text in enumerate((FALSE, CLEAN, OTHER, MARKUP)):
        path = folder / f"{number}.jsonl"
        event = stop(
            text,
            session_id=f"s{number}",
            transcript_path=write_turn(path, "why?", text, calls=1, failed=True),
        )
        assert hook.raw(event).returncode == 0
        if text == OTHER:
            path.unlink()
    assert hook.raw(placed(CASE, server.projects)).returncode == 0
    judged_turn(Hook(server.home), folder, "decide")
    yield server
    server.close()


@visits(Path(__file__).with_name("decisions.pages"))
def test_visit(user: Visitor, steps: list[str]) -> None:
    visit(user, steps)


def test_a_list_is_worked_through_with_the_keyboard(user: Visitor) -> None:
    page = user.sign_in("/admin/decisions?decision=block&vote=open")
    rows, focused = page.locator(".work-row"), page.locator(".work-row:focus-within")
    first, second = (row.locator(".sentence").inner_text() for row in rows.all()[:2])
    expect(rows.first.locator("mark")).to_have_text(UNMARKED)
    assert f"I changed the loader. {UNMARKED}" in first
    expect(rows.first).to_contain_text(f"is above {SHIPPED.judge.stop}: {WHY}")
    page.keyboard.press("j")
    expect(focused.locator(".sentence")).to_have_text(first)
    page.keyboard.press("r")
    expect(rows.first.get_by_role("button", name="Right")).to_have_attribute("aria-pressed", "true")
    expect(focused.locator(".sentence")).to_have_text(second)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Decision")).to_be_visible()
    ready(page)
    expect(page.locator("[data-key=k]")).to_have_count(0)  # the one above has a vote now
    page.keyboard.press("w")
    expect(page.get_by_text("You said: wrong.")).to_be_visible()
    page.keyboard.press("j")
    page.wait_for_url(lambda url: "/decisions/" in url and "vote=open" in url)
    ready(page)
    page.get_by_role("link", name="Back to the list").click()
    expect(rows.first).to_be_visible()
    assert second not in [row.locator(".sentence").inner_text() for row in rows.all()]


def test_the_points_of_a_decision_add_up_to_its_number(user: Visitor) -> None:
    page = user.sign_in(f"/admin/decisions?session={SESSION}")
    page.get_by_role("link").filter(has_text="All tests pass").click()
    claim = page.locator("section.panel").filter(has_text="“All tests pass”")
    expect(claim.get_by_text("Without effect:")).to_be_visible()
    points = claim.locator(".factors .points").all_inner_texts()
    assert points
    assert all(int(text) for text in points)  # those without effect are told in words
    expect(claim.locator(".factors .bar")).to_have_count(len(points))
    found = user.server.client.get(f"/api/v1/admin/decisions?session={SESSION}").json()
    matches = [match for row in found["decisions"] for match in row["matches"]]
    number = next(one["confidence"] for one in matches if one["evidence"] == "All tests pass")
    expect(claim.locator(".score")).to_have_text(str(number))
    base, *_ = claim.locator(".sum").inner_text().removeprefix(f"{number} = ").split()
    assert int(base) + sum(int(text) for text in points) == number


def test_a_database_that_fails_is_said_and_can_be_tried_again(user: Visitor) -> None:
    page = user.sign_in()
    with without_table(user.server, "decision_matches"):
        page.goto(user.server.url + "/admin/decisions")
        alert = page.get_by_role("alert").filter(has_text="The decisions could not be loaded")
        expect(alert).to_be_visible(timeout=20_000)
        expect(page.get_by_text("Traceback")).to_have_count(0)
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator(".work-row")).to_have_count(5)


def test_scored_answers_are_voted_on_where_they_are_retained(user: Visitor) -> None:
    settings = user.server.home / ".config/groundwire/config.toml"
    page = user.sign_in("/admin/")
    for retained in (False, True):
        settings.write_text(f"[log]\nretain_answers = {str(retained).lower()}\n", "utf-8")
        page.goto(user.server.url + "/admin/")
        page.get_by_role("region", name="Try it").get_by_label("Similarity").first.fill("0.1")
        page.get_by_role("button", name="Run sample").click()
        expect(page.get_by_text("⚠ Medium Confidence")).to_be_visible()
        page.goto(user.server.url + "/admin/answers")
        answer = page.locator(".work-row").first
        question = answer.get_by_text("How long is a refund possible?").first
        expect(question).to_be_visible(visible=retained)
        right = answer.get_by_role("button", name="Right")
        expect(right).to_be_visible(visible=retained)
        expect(page.get_by_text("set retain_answers = true")).to_be_visible(visible=not retained)
    badge = answer.get_by_text("⚠ Medium Confidence")
    expect(badge).to_have_css("background-color", "rgb(255, 243, 224)")
    expect(badge).to_have_css("color", "rgb(230, 81, 0)")
    page.set_viewport_size({"width": NARROW, "height": HEIGHT})
    assert answer.bounding_box()["height"] < 60  # type: ignore[index]
    question.click()
    expect(answer.get_by_text("A refund is possible within 30 days")).to_be_visible()
    expect(answer.get_by_text("Advisory only —")).to_have_css("color", "rgb(133, 100, 4)")
    right.click()
    expect(right).to_have_attribute("aria-pressed", "true")
    page.goto(user.server.url + "/admin/trends")
    panel = page.get_by_role("region", name="Reliability of scored answers")
    expect(panel.locator(".chart").locator("i, polyline").last).to_be_attached()
