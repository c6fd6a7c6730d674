"""Turns that are asked for what was done, pushes by other clients, and bare reports of edits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.past.recap import asks_back
from groundwire.evidence.past.session import Digest
from groundwire.service.examine import Examined, examine, turn_of
from groundwire.settings import SHIPPED
from tests.evidence.test_verdict import SCANNER, Act, bash, edit, judged, verdict
from tests.support.transcripts import Session

CODE = edit("/home/dev/shop/src/cart.py")
NOTES = edit("/home/dev/shop/docs/handover.md")
LOOK = bash("git log --oneline -5", "1a2b3c4 Add carts")

PROMPTS = [
    ("Summarize this session for my colleague.", True),
    ("write a handover, please", True),
    ("Write the changelog for 2.0", True),
    ("Draft a commit message", True),
    ("What did you change in the parser?", True),
    ("what have we accomplished so far? what was done about carts?", True),
    ("Recap?", True),
    ("Where do we stand", True),
    ("Summarize the fix and the test results.", True),
    ("Run the tests and report the status.", False),
    ("Build it, then give me a summary.", False),
    ("Read the notes and fix the progress bar", False),
    ("Fix the cart total", False),
    ("What does this function do?", False),
    ("What is the default port?", False),
    ("Run everything again.", False),
]


@pytest.mark.parametrize(("prompt", "asks"), PROMPTS)
def test_prompts_that_ask_for_what_was_done(prompt: str, asks: bool) -> None:
    assert asks_back(prompt) is asks


def told(
    folder: Path, prompt: str, message: str, *acts: Act, digest: Digest | None = None
) -> Examined:
    session = Session()
    session.prompt(prompt)
    for act in acts:
        act(session)
    session.say(message)
    event = Event("Stop", "s", transcript_path=session.write(folder / "t.jsonl"), message=message)
    return examine(event, turn_of(event), SCANNER, SHIPPED, Memory(digest=digest))


ASKED = "Give me a summary of this session."
TURNS: list[tuple[str, str, str, list[Act], Digest | None, str]] = [
    (ASKED, "All tests pass.", "tests_pass", [NOTES], None, "earlier"),
    (ASKED, "I pushed the branch.", "pushed", [LOOK], None, "earlier"),
    (ASKED, "I committed the change.", "committed", [NOTES, LOOK], None, "earlier"),
    (ASKED, "The crash is fixed now.", "fixed", [NOTES], None, "earlier"),
    ("Fix the cart", "All tests pass.", "tests_pass", [NOTES], None, "unsupported"),
    (ASKED, "All tests pass.", "tests_pass", [CODE], None, "unsupported"),
    (ASKED, "The crash is fixed now.", "fixed", [CODE], None, "unsupported"),
    # known from its beginning, and nothing was ever run
    (ASKED, "All tests pass.", "tests_pass", [NOTES], Digest(), "unsupported"),
    (
        ASKED,
        "I pushed the branch.",
        "pushed",
        [LOOK],
        Digest(edited=("src/cart.py",)),
        "unsupported",
    ),
    (ASKED, "I pushed it.", "pushed", [bash("git push", "error: denied", 1)], None, "contradicted"),
]


@pytest.mark.parametrize(("prompt", "message", "claim", "acts", "digest", "status"), TURNS)
def test_a_turn_that_only_tells(
    prompt: str,
    message: str,
    claim: str,
    acts: list[Act],
    digest: Digest | None,
    status: str,
    tmp_path: Path,
) -> None:
    assert verdict(told(tmp_path, prompt, message, *acts, digest=digest), claim) == status


SENT = "To github.com:dev/shop.git\n   1a2b3c4..5d6e7f8  main -> main"
PUSHES = [
    (bash("gh repo create shop --public --source . --push", "Created repository"), "supported"),
    (bash("gh pr create --fill", "https://github.com/dev/shop/pull/3"), "supported"),
    (bash("hub push origin main", ""), "supported"),
    (bash("jj git push --change @", "Changes to push to origin:"), "supported"),
    (bash("glab mr create --push --fill", "!12"), "supported"),
    (bash("./save-work", SENT), "supported"),
    (bash("./save-work", "Pushed commits to https://codeberg.org/dev/shop.git"), "supported"),
    (bash("gh repo create shop --public", "Created repository"), "unsupported"),
    (bash("jj git fetch", "Nothing changed."), "unsupported"),
    (bash("./save-work", "saved"), "unsupported"),
    (bash("git log -3", "From here on carts -> baskets"), "unsupported"),
]


@pytest.mark.parametrize(("act", "status"), PUSHES)
def test_pushes_by_other_clients(act: Act, status: str, tmp_path: Path) -> None:
    assert verdict(judged(tmp_path, "I pushed the branch.", CODE, act), "pushed") == status


def write(path: str, content: str) -> Act:
    return lambda session: session.call("Write", {"file_path": path, "content": content}, "ok")


GO = write("/home/dev/shop/rate_limit.go", "func NewLimiter(n int) *Limiter {\n}")
KOTLIN = write("/home/dev/shop/Cart.kt", "class CartStore(private val n: Int) {\n}")
REPORTS: list[tuple[str, str, Act, str]] = [
    ("Here's what I fixed:\n\n- The limit is read once.", "fixed", GO, "not_checkable"),
    ("I've successfully implemented `NewLimiter`.", "implemented", GO, "not_checkable"),
    ("I successfully implemented the CartStore class.", "implemented", KOTLIN, "not_checkable"),
    ("I've successfully implemented rate limits.", "implemented", GO, "unsupported"),
    (
        "I've successfully implemented `NewLimiter`, and it is working.",
        "implemented",
        GO,
        "unsupported",
    ),
    ("I've successfully implemented all of CartStore.", "implemented", KOTLIN, "unsupported"),
    ("I've successfully implemented OrderStore.", "implemented", KOTLIN, "unsupported"),
    ("I've fixed the crash in the limiter.", "fixed", GO, "unsupported"),
    ("I've fixed `NewLimiter`.", "fixed", GO, "qualified"),
]


@pytest.mark.parametrize(("message", "claim", "act", "status"), REPORTS)
def test_a_bare_report_of_an_edit_that_was_made(
    message: str, claim: str, act: Act, status: str, tmp_path: Path
) -> None:
    assert verdict(judged(tmp_path, message, act), claim) == status


WROTE = write("/home/dev/shop/tests/test_cart.py", "def test_total():\n    assert total([]) == 0\n")
PASSED = bash("pytest -q", "========== 4 passed in 0.20s ==========")
FAILED = bash("pytest -q", "========== 1 failed, 3 passed in 0.20s ==========", 1)
Check = Callable[[str], bool]
LISTS: list[tuple[str, list[Act], str]] = [
    ("- Tests verify totals of empty carts", [WROTE, PASSED], "qualified"),
    ("- Unit tests confirm that a coupon is used once", [WROTE, PASSED], "qualified"),
    ("- Tests ensure that every coupon is valid", [WROTE, PASSED], "unsupported"),
    ("- Tests ensure that totals are never negative", [WROTE, PASSED], "unsupported"),
    ("- Tests guarantee totals of empty carts", [WROTE, PASSED], "unsupported"),
    ("- Tests verify totals of empty carts", [CODE, PASSED], "unsupported"),
    ("- Tests verify totals of empty carts", [PASSED, WROTE], "unsupported"),
    ("The tests prove that totals are right.", [WROTE, PASSED], "unsupported"),
]


@pytest.mark.parametrize(("line", "acts", "status"), LISTS)
def test_a_list_of_what_written_tests_look_at(
    line: str, acts: list[Act], status: str, tmp_path: Path
) -> None:
    message = f"I wrote these cases:\n\n{line}\n- Carts are cleared after checkout\n"
    assert verdict(judged(tmp_path, message, *acts), "guarantee") == status


def test_a_failed_run_of_them_speaks_against_it(tmp_path: Path) -> None:
    message = "Cases:\n\n- Tests verify totals of empty carts\n- Carts are cleared\n"
    found = verdict(judged(tmp_path, message, WROTE, FAILED), "guarantee")
    assert found in ("unsupported", "contradicted")


DATES = [
    ("Released in March 2024.", "not_checkable"),
    ("It has been published in 2019.", "not_checkable"),
    ("The fix has been released since May 2023.", "not_checkable"),
    ("Released to production.", "unsupported"),
    ("It has been published to 2 registries.", "unsupported"),
    ("It has been released on 3 mirrors.", "unsupported"),
]


@pytest.mark.parametrize(("message", "status"), DATES)
def test_a_date_tells_of_a_version_that_came_out(message: str, status: str, tmp_path: Path) -> None:
    assert verdict(judged(tmp_path, message, CODE), "deployed") == status
