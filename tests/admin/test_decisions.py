"""Decisions of the real hook: through the service, and over HTTP."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.settings import SHIPPED
from groundwire_admin.service import Admin, Filter
from groundwire_admin.service.decisions import DecisionDetail
from tests.admin.logs import a_match, a_record, write
from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.hook.messages import CLEAN, FALSE, OTHER, stop, write_turn
from tests.support.transcripts import Session

DECISIONS = "/api/v1/admin/decisions"
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
        a_record(2, decision="report", agent_type="explore"),
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


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """Return a server whose user had three turns: two by the command hook, one over HTTP."""
    server = AdminServer(tmp_path_factory.mktemp("decisions") / "home", "--rate", "0")
    folder = server.projects / "-home-dev-shop"
    folder.mkdir(parents=True)
    hook = Hook(server.home)
    for number, text in enumerate((FALSE, CLEAN)):
        path = write_turn(folder / f"{number}.jsonl", "why?", text, failed=True)
        event = stop(text, session_id=f"s{number}", transcript_path=path)
        assert hook.raw(event).returncode == 0
    assert server.client.post("/hook", content=stop(OTHER, session_id="s2")).status_code == 200
    yield server
    server.close()


def listed(server: AdminServer, **query: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = server.client.get(DECISIONS, params=query).json()["decisions"]
    return found


QUERIES = [
    ({"decision": "block"}, ["s2", "s0"]),
    ({"kind": "causality_language"}, ["s2"]),
    ({"agent_type": ""}, ["s2", "s1", "s0"]),
    ({"agent_type": "Explore"}, []),
    ({"until": "2000-01-01T00:00:00+02:00"}, []),
    ({"since": "2000-01-01T00:00:00"}, ["s2", "s1", "s0"]),
]


def test_the_list_is_what_the_hook_logged(filled: AdminServer) -> None:
    rows = [(row["session"], row["decision"]) for row in listed(filled)]
    assert rows == [("s2", "block"), ("s1", "pass"), ("s0", "block")]
    for query, sessions in QUERIES:
        assert [row["session"] for row in listed(filled, **query)] == sessions, query
    page = filled.client.get(DECISIONS, params={"limit": 2}).json()
    assert (page["total"], page["following"]) == (3, page["decisions"][-1]["id"])
    [last] = listed(filled, limit="2", below=page["following"])
    assert last["session"] == "s0"


def test_one_decision_with_its_message_and_votes(filled: AdminServer) -> None:
    path = f"{DECISIONS}/{listed(filled, session='s0')[0]['id']}"
    detail = filled.client.get(path).json()
    assert (detail["text_state"], detail["text"], detail["offsets_hold"]) == ("found", FALSE, True)
    for match in detail["read_matches"]:
        reported = match["confidence"] if match["confidence"] >= SHIPPED.thresholds.report else None
        assert match["logged_confidence"] == reported
    (filled.projects / "-home-dev-shop" / "0.jsonl").unlink()
    detail = filled.client.get(path).json()
    assert (detail["text_state"], detail["text"]) == ("transcript_gone", "")
    user = {"X-Groundwire-User": "ada"}
    for vote, kept in ((1, 1), (-1, -1), (0, None)):
        sent = {"vote": vote, "note": "the log shows it"}
        answer = filled.client.post(f"{path}/feedback", json=sent, headers=user)
        assert (answer.status_code, answer.content) == (204, b"")
        assert filled.client.get(path, headers=user).json()["decision"]["vote"] == kept
        assert filled.client.get(path).json()["decision"]["vote"] is None


def test_the_server_takes_in_by_itself(filled: AdminServer) -> None:
    assert Hook(filled.home).raw(stop(CLEAN, session_id="later")).returncode == 0
    deadline = time.monotonic() + 30
    while 'groundwire_decisions{decision="pass"} 2.0' not in filled.client.get("/metrics").text:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert filled.client.post(f"{DECISIONS}/intake").json()["added"] == 0
