"""Decisions of the real hook through the service; those over HTTP are in api.http."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire_admin.service import Admin, Filter
from groundwire_admin.service.decisions import DecisionDetail
from tests.admin.logs import a_match, a_record, write
from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.hook.messages import CLEAN, stop
from tests.support.transcripts import Session
from tests.support.waiting import wait_until

CLAIM = "All 8 tests pass now."


@pytest.fixture
def blocked(hook: Hook, tmp_path: Path, admin: Admin) -> Path:
    """A turn that the hook blocked, taken in; the transcript has gone on since."""
    session = Session()
    session.prompt("fix the pool")
    session.bash("pytest -q", "8 passed in 0.41s")
    session.say("The tests pass.")
    session.prompt("and now?")
    session.bash("pytest -q tests/test_pool.py", "1 failed, 7 passed in 0.41s", exit_code=1)
    session.say(CLAIM)
    path = Path(session.write(tmp_path / "session.jsonl"))
    answer = hook(transcript_path=str(path), session_id=session.session_id)
    assert answer["decision"] == "block"
    session.feedback(f"[another]: no.\n{answer['reason']}")
    session.say("One test still fails.")
    session.prompt("thanks")
    session.say("You are welcome.")
    session.write(path)
    assert admin.decisions.take_in().model_dump() == {"added": 1, "skipped": 0, "problems": []}
    return path


def only(admin: Admin) -> DecisionDetail:
    [row] = admin.decisions.page().decisions
    detail = admin.decisions.detail(row.id)
    assert detail.decision.model_dump().items() <= row.model_dump().items()
    return detail


def test_a_blocked_turn_is_read_again_from_its_transcript(admin: Admin, blocked: Path) -> None:
    detail = only(admin)
    assert (detail.decision.decision, detail.text_state, detail.problem) == ("block", "found", "")
    assert (detail.text, detail.offsets_hold, detail.transcript) == (CLAIM, True, str(blocked))
    # the everyday word "now" is no match of a sentence that says more
    logged = detail.decision.matches
    assert [one.marker for one in detail.read_matches] == [one.marker for one in logged]
    match = next(one for one in detail.read_matches if one.verdict == "contradicted")
    same = next(one for one in logged if one.offset == match.offset)
    assert match.confidence == match.logged_confidence == same.confidence
    assert detail.text[match.offset : match.offset + match.length] == match.evidence
    assert {factor.name for factor in match.factors} >= {"strength", "failed_open"}
    [row] = admin.decisions.page().decisions
    assert row.strongest is not None
    line = next(one for one in detail.text.splitlines() if row.strongest.evidence in one)
    assert f"{row.before}{row.strongest.evidence}{row.after}" == line
    assert row.verdict.startswith(f"{row.strongest.confidence} is above ")
    assert detail.told_kept
    assert detail.told.startswith("groundwire: 1 statement not backed by evidence")
    unsaid = [one for one in blocked.read_text().splitlines() if "Stop hook feedback" not in one]
    blocked.write_text("\n".join(unsaid) + "\n")
    assert (only(admin).told, only(admin).told_kept) == (detail.told, False)
    [call] = detail.calls
    assert (call.id, call.input) == (match.call_id, "pytest -q tests/test_pool.py")
    assert "1 failed" in str(call.result)


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


@pytest.mark.parametrize(
    ("damage", "state"),
    [
        (Path.unlink, "transcript_gone"),
        (unreadable, "unreadable"),
        (replaced, "message_gone"),
        (lambda path: path.write_bytes(b""), "message_gone"),
        (lambda path: path.write_bytes(b"\xff\xfe no transcript\n" * 20), "message_gone"),
    ],
)
def test_a_transcript_that_is_not_what_it_was(
    admin: Admin, blocked: Path, damage: Callable[[Path], object], state: str
) -> None:
    damage(blocked)
    detail = only(admin)
    assert (detail.text_state, bool(detail.problem)) == (state, True)
    assert (detail.text, detail.read_matches, detail.calls) == ("", [], [])
    row = admin.decisions.page().decisions[0]
    assert (row.before, row.after) == ("", "")
    assert row.strongest == max(row.matches, key=lambda one: one.confidence)
    assert not detail.offsets_hold


def test_what_changed_since_is_told(admin: Admin, blocked: Path, hook: Hook) -> None:
    said = blocked.read_text(encoding="utf-8")
    blocked.write_text(said.replace(CLAIM, f"Well, {CLAIM}"))
    assert (only(admin).text_state, only(admin).offsets_hold) == ("found", False)
    assert admin.decisions.page().decisions[0].before == ""
    path = hook.home / ".config/groundwire/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("mode = 'loud'")
    detail = only(admin)
    assert "shipped settings are used" in detail.problem
    assert "loud" in detail.problem
    assert detail.read_matches


@pytest.fixture
def several(admin: Admin, hook: Hook) -> Admin:
    causal = a_match(kind="causality_language")
    write(
        hook.state,
        a_record(1, decision="block", session="s1"),
        a_record(2, agent_type="explore", matches=[a_match(verdict="qualified")]),
        a_record(3, decision="pass", matches=[], session="s2"),
        a_record(1500, decision="block", matches=[a_match(), causal]),
        a_record(1501, decision="pass", matches=[], error="no space"),
    )
    assert admin.decisions.take_in().added == 5
    return admin


DAY = datetime(2026, 11, 2, tzinfo=UTC)
FILTERS = [
    (Filter(), [1501, 1500, 3, 2, 1]),
    (Filter(decision="block"), [1500, 1]),
    (Filter(flagged=True), [1500, 2, 1]),
    (Filter(kind="causality_language"), [1500]),
    (Filter(agent_type="explore"), [2]),
    (Filter(agent_type=""), [1501, 1500, 3, 1]),
    (Filter(session="s2"), [3]),
    (Filter(session="none"), []),
    (Filter(since=DAY), [1501, 1500]),
    (Filter(until=DAY), [3, 2, 1]),
    (Filter(decision="block", since=DAY, kind="speculation_language"), [1500]),
    (Filter(session="a\0b"), []),
]


def test_filters_and_pages(several: Admin) -> None:
    for wanted, found in FILTERS:
        page = several.decisions.page(wanted)
        assert [int(row.id[:16], 16) for row in page.decisions] == found, wanted
        assert (page.total, page.following) == (len(found), None)
        names = ["", *(row.id for row in page.decisions), ""]
        for at, row in enumerate(page.decisions):
            assert several.decisions.beside(wanted, row.id) == (names[at], names[at + 2])
    [row] = several.decisions.page(Filter(agent_type="explore")).decisions
    assert row.verdict.endswith(": limited by its own words, or neither proved nor refuted")
    seen, below = [], ""
    while below is not None:
        page = several.decisions.page(limit=2, below=below)
        assert page.total == 5
        seen += [row.id for row in page.decisions]
        below = page.following  # type: ignore[assignment]
    assert len(set(seen)) == len(seen) == 5


def test_votes(several: Admin) -> None:
    decisions = several.decisions
    identity = decisions.page().decisions[0].id

    def vote(who: str) -> int | None:
        return decisions.page(who=who).decisions[0].vote

    decisions.vote(identity, -1, who="ann", note="it was right")
    decisions.vote(identity, 1, who="bob")
    assert (vote("ann"), vote("bob"), vote("eve")) == (-1, 1, None)
    decisions.vote(identity, 1, who="ann")
    assert decisions.detail(identity, who="ann").decision.vote == 1
    for _ in range(2):
        decisions.vote(identity, 0, who="ann")
    assert vote("ann") is None
    for who, left in (("ann", 5), ("bob", 4)):
        assert decisions.page(Filter(unvoted=who)).total == left


def test_the_server_takes_in_by_itself(fresh: AdminServer) -> None:
    assert Hook(fresh.home).raw(stop(CLEAN)).returncode == 0
    line = 'groundwire_decisions{decision="pass"} 1.0'
    wait_until(lambda: line in fresh.client.get("/metrics").text, seconds=30)
    assert fresh.client.post("/api/v1/admin/decisions/intake").json()["added"] == 0
