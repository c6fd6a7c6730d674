"""Decisions of the real hook, seen through the facade."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigError, NotFoundError
from groundwire_admin.service import Admin, Filter
from groundwire_admin.store.database import Store
from tests.admin.store.logs import a_match, a_record, write
from tests.conftest import Hook
from tests.support.transcripts import Session

GUESS = "I think the crash is probably caused by a race condition."


@pytest.fixture
def admin(store: Store, hook: Hook) -> Admin:
    return Admin(store, hook.env)


def a_session() -> Session:
    session = Session()
    session.prompt("fix the pool")
    session.bash("pytest -q", "8 passed in 0.41s")
    session.say("The tests pass.")
    session.prompt("and now?")
    session.bash("pytest -q tests/test_pool.py", "1 failed, 7 passed in 0.41s", exit_code=1)
    session.say("All 8 tests pass now.")
    return session


@pytest.fixture
def blocked(hook: Hook, tmp_path: Path, admin: Admin) -> Path:
    """A turn that the hook blocked, taken in; the transcript has gone on since."""
    session = a_session()
    path = Path(session.write(tmp_path / "session.jsonl"))
    answer = hook(transcript_path=str(path), session_id=session.session_id)
    assert answer["decision"] == "block"
    session.say("One test still fails.")
    session.prompt("thanks")
    session.say("You are welcome.")
    session.write(path)
    assert admin.decisions.take_in().model_dump() == {"added": 1, "skipped": 0, "problems": []}
    return path


def test_a_blocked_turn_is_read_again_from_its_transcript(admin: Admin, blocked: Path) -> None:
    [row] = admin.decisions.page().decisions
    assert row.decision == "block"
    detail = admin.decisions.detail(row.id)
    assert (detail.text_state, detail.problem) == ("found", "")
    assert (detail.text, detail.offsets_hold) == ("All 8 tests pass now.", True)
    # the everyday word "now" is no match of a sentence that says more
    assert [one.marker for one in detail.read_matches] == [one.marker for one in row.matches]
    match = next(one for one in detail.read_matches if one.verdict == "contradicted")
    logged = next(one for one in row.matches if one.offset == match.offset)
    assert match.confidence == match.logged_confidence == logged.confidence
    assert detail.text[match.offset : match.offset + match.length] == match.evidence
    assert {factor.name for factor in match.factors} >= {"strength", "failed_open"}
    [call] = detail.calls
    assert call.id == match.call_id
    assert call.input == "pytest -q tests/test_pool.py"
    assert "1 failed" in str(call.result)
    assert detail.transcript == str(blocked)


def gone(path: Path) -> None:
    path.unlink()


def unreadable(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replaced(path: Path) -> None:
    other = Session()
    other.prompt("hello")
    other.say("Hello.")
    for entry in other.entries:
        if "message" in entry:
            entry["message"]["id"] = f"msg_other_{entry['uuid']}"
    other.write(path)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def garbled(path: Path) -> None:
    path.write_bytes(b"\xff\xfe not a transcript\n" * 20)


@pytest.mark.parametrize(
    ("damage", "state"),
    [
        (gone, "transcript_gone"),
        (unreadable, "unreadable"),
        (replaced, "message_gone"),
        (emptied, "message_gone"),
        (garbled, "message_gone"),
    ],
)
def test_a_transcript_that_is_not_what_it_was(
    admin: Admin, blocked: Path, damage: Any, state: str
) -> None:
    damage(blocked)
    [row] = admin.decisions.page().decisions
    detail = admin.decisions.detail(row.id)
    assert detail.text_state == state
    assert detail.problem
    assert (detail.text, detail.read_matches, detail.calls, detail.offsets_hold) == (
        *("", [], []),
        False,
    )
    assert detail.decision == row


def test_a_message_that_was_changed_is_told(admin: Admin, blocked: Path) -> None:
    text = blocked.read_text(encoding="utf-8")
    blocked.write_text(text.replace("All 8 tests pass now.", "Well, all 8 tests pass now."))
    [row] = admin.decisions.page().decisions
    detail = admin.decisions.detail(row.id)
    assert (detail.text_state, detail.offsets_hold) == ("found", False)


def test_bare_text_names_no_transcript(admin: Admin, hook: Hook) -> None:
    hook(last_assistant_message=GUESS)
    admin.decisions.take_in()
    [row] = admin.decisions.page().decisions
    assert row.matches
    assert admin.decisions.detail(row.id).text_state == "unknown"


def test_settings_that_are_broken_now_are_told(admin: Admin, blocked: Path, hook: Hook) -> None:
    path = hook.home / ".config/groundwire/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("mode = 'loud'")
    [row] = admin.decisions.page().decisions
    detail = admin.decisions.detail(row.id)
    assert detail.text_state == "found"
    assert "shipped settings are used" in detail.problem
    assert "loud" in detail.problem
    assert detail.read_matches


def fill(admin: Admin, hook: Hook) -> None:
    causal = a_match(kind="causality_language")
    write(
        hook.state,
        a_record(1, decision="block", session="s1"),
        a_record(2, decision="report", agent_type="explore"),
        a_record(3, decision="pass", matches=[], session="s2"),
        a_record(1500, decision="block", matches=[a_match(), causal]),
        a_record(1501, decision="pass", matches=[], error="no space"),
    )
    assert admin.decisions.take_in().added == 5


DAY = datetime(2026, 11, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), [1501, 1500, 3, 2, 1]),
        (Filter(decision="block"), [1500, 1]),
        (Filter(kind="causality_language"), [1500]),
        (Filter(agent_type="explore"), [2]),
        (Filter(agent_type=""), [1501, 1500, 3, 1]),
        (Filter(session="s2"), [3]),
        (Filter(session="none"), []),
        (Filter(since=DAY), [1501, 1500]),
        (Filter(until=DAY), [3, 2, 1]),
        (Filter(decision="block", since=DAY, kind="speculation_language"), [1500]),
        (Filter(session="a\0b"), []),
    ],
)
def test_filters(admin: Admin, hook: Hook, wanted: Filter, found: list[int]) -> None:
    fill(admin, hook)
    page = admin.decisions.page(wanted)
    assert [int(row.id[:16], 16) for row in page.decisions] == found
    assert (page.total, page.following) == (len(found), None)


def test_pages_follow_each_other(admin: Admin, hook: Hook) -> None:
    fill(admin, hook)
    seen: list[str] = []
    below = ""
    while True:
        page = admin.decisions.page(limit=2, below=below)
        assert page.total == 5
        seen += [row.id for row in page.decisions]
        if page.following is None:
            break
        below = page.following
    assert len(set(seen)) == len(seen) == 5


def test_votes(admin: Admin, hook: Hook) -> None:
    fill(admin, hook)
    identity = admin.decisions.page().decisions[0].id

    def vote(who: str) -> int | None:
        return admin.decisions.page(who=who).decisions[0].vote

    admin.decisions.vote(identity, -1, who="ann", note="it was right")
    admin.decisions.vote(identity, 1, who="bob")
    assert (vote("ann"), vote("bob"), vote("eve")) == (-1, 1, None)
    admin.decisions.vote(identity, 1, who="ann")
    assert admin.decisions.detail(identity, who="ann").decision.vote == 1
    admin.decisions.vote(identity, 0, who="ann")
    admin.decisions.vote(identity, 0, who="ann")
    assert vote("ann") is None


def test_what_is_not_allowed(admin: Admin, hook: Hook) -> None:
    fill(admin, hook)
    identity = admin.decisions.page().decisions[0].id
    with pytest.raises(ConfigError, match='decision: value "maybe": allowed: block, report, pass'):
        admin.decisions.page(Filter(decision="maybe"))
    with pytest.raises(ConfigError, match="kind: value"):
        admin.decisions.page(Filter(kind="x"))
    for limit in (0, 201):
        with pytest.raises(ConfigError, match="limit: value"):
            admin.decisions.page(limit=limit)
    with pytest.raises(ConfigError, match="vote: value 2: allowed: 1, -1, or 0"):
        admin.decisions.vote(identity, 2, who="ann")
    with pytest.raises(ConfigError, match="note: 2001 characters"):
        admin.decisions.vote(identity, 1, who="ann", note="n" * 2_001)
    for act in (admin.decisions.detail, lambda key: admin.decisions.vote(key, 1, who="ann")):
        with pytest.raises(NotFoundError, match="does not exist"):
            act("x\0")
