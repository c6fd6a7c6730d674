"""Decisions over HTTP: from the hook's log to the list, the message, and the vote."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.settings import SHIPPED
from tests.admin.server import AdminServer, is_problem
from tests.conftest import Hook
from tests.hook.messages import CLEAN, FALSE, OTHER, stop, write_turn

DECISIONS = "/api/v1/admin/decisions"


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
    event = stop(OTHER, session_id="s2")
    assert server.client.post("/hook", content=event).status_code == 200
    yield server
    server.close()


def test_the_list_is_what_the_hook_logged(filled: AdminServer) -> None:
    page = filled.client.get(DECISIONS).json()
    assert [(row["session"], row["decision"]) for row in page["decisions"]] == [
        ("s2", "block"),
        ("s1", "pass"),
        ("s0", "block"),
    ]
    assert (page["total"], page["following"]) == (3, None)
    assert page["decisions"][2]["matches"][0]["kind"] == "ungrounded_behavioral_assertion"


FILTERS = [
    ({"decision": "block"}, ["s2", "s0"]),
    ({"decision": "pass"}, ["s1"]),
    ({"session": "s0"}, ["s0"]),
    ({"kind": "causality_language"}, ["s2"]),
    ({"kind": "unsupported_absence"}, []),
    ({"agent_type": ""}, ["s2", "s1", "s0"]),
    ({"agent_type": "Explore"}, []),
    ({"since": "2100-01-01T00:00:00Z"}, []),
    ({"until": "2000-01-01T00:00:00+02:00"}, []),
    ({"since": "2000-01-01T00:00:00"}, ["s2", "s1", "s0"]),
]


@pytest.mark.parametrize(("query", "sessions"), FILTERS, ids=str)
def test_filters(filled: AdminServer, query: dict[str, str], sessions: list[str]) -> None:
    page = filled.client.get(DECISIONS, params=query).json()
    assert [row["session"] for row in page["decisions"]] == sessions


BAD = [
    {"decision": "stop"},
    {"kind": "guess"},
    {"limit": "0"},
    {"limit": "201"},
    {"since": "yesterday"},
    {"since": "0001-01-01T00:00:00+14:00"},
    {"below": "x" * 65},
    {"color": "red"},
]


@pytest.mark.parametrize("query", BAD, ids=str)
def test_bad_filters(filled: AdminServer, query: dict[str, str]) -> None:
    [error] = is_problem(filled.client.get(DECISIONS, params=query), 422)["errors"]
    assert error["key"] == next(iter(query))


def test_the_list_goes_on(filled: AdminServer) -> None:
    first = filled.client.get(DECISIONS, params={"limit": 2}).json()
    assert first["following"] == first["decisions"][-1]["id"]
    query = {"limit": 2, "below": first["following"]}
    second = filled.client.get(DECISIONS, params=query).json()
    assert [row["session"] for row in second["decisions"]] == ["s0"]
    assert second["following"] is None


def identity(server: AdminServer, session: str) -> str:
    page = server.client.get(DECISIONS, params={"session": session}).json()
    return str(page["decisions"][0]["id"])


def test_one_decision_with_its_message(filled: AdminServer) -> None:
    detail = filled.client.get(f"{DECISIONS}/{identity(filled, 's0')}").json()
    assert (detail["text_state"], detail["text"], detail["offsets_hold"]) == ("found", FALSE, True)
    for match in detail["read_matches"]:
        end = match["offset"] + match["length"]
        assert detail["text"][match["offset"] : end] == match["evidence"]
        assert {factor["name"] for factor in match["factors"]} >= {"strength", "failed_open"}
        reported = match["confidence"] if match["confidence"] >= SHIPPED.thresholds.report else None
        assert match["logged_confidence"] == reported
    (filled.projects / "-home-dev-shop" / "0.jsonl").unlink()
    detail = filled.client.get(f"{DECISIONS}/{identity(filled, 's0')}").json()
    assert (detail["text_state"], detail["text"]) == ("transcript_gone", "")
    detail = filled.client.get(f"{DECISIONS}/{identity(filled, 's2')}").json()
    assert detail["text_state"] == "unknown"


def test_votes(filled: AdminServer) -> None:
    path = f"{DECISIONS}/{identity(filled, 's2')}"
    user = {"X-Groundwire-User": "ada"}
    for vote, kept in ((1, 1), (-1, -1), (0, None)):
        sent = {"vote": vote, "note": "the log shows it"}
        answer = filled.client.post(f"{path}/feedback", json=sent, headers=user)
        assert (answer.status_code, answer.content) == (204, b"")
        assert filled.client.get(path, headers=user).json()["decision"]["vote"] == kept
        assert filled.client.get(path).json()["decision"]["vote"] is None
    bad: list[dict[str, Any]] = [{}, {"vote": 2}, {"vote": 1, "note": "x" * 2_001}]
    for body in (*bad, {"vote": 1, "note": "\0"}):
        is_problem(filled.client.post(f"{path}/feedback", json=body), 422)


def test_unknown_decisions(filled: AdminServer) -> None:
    is_problem(filled.client.get(f"{DECISIONS}/none"), 404)
    is_problem(filled.client.post(f"{DECISIONS}/none/feedback", json={"vote": 1}), 404)
    is_problem(filled.client.get(f"{DECISIONS}/{'x' * 65}"), 422)


def test_the_server_takes_in_by_itself(filled: AdminServer) -> None:
    line = 'groundwire_decisions{decision="pass"}'
    event = stop(CLEAN, session_id="later")
    assert Hook(filled.home).raw(event).returncode == 0
    deadline = time.monotonic() + 30
    while f"{line} 2.0" not in filled.client.get("/metrics").text:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    taken = filled.client.post(f"{DECISIONS}/intake").json()
    assert taken == {"added": 0, "skipped": 0, "problems": []}


def test_a_threshold_changed_here_changes_the_next_command_hook(filled: AdminServer) -> None:
    path = "/api/v1/admin/hook-config"
    hook = Hook(filled.home)
    text = "I think it is the parser."
    for number, (threshold, decision) in enumerate(((60, "block"), (100, None), (None, None))):
        body = {"settings": {"thresholds": {"words_block": threshold, "message_block": threshold}}}
        assert filled.client.put(path, json=body).status_code == 200
        start = {"hook_event_name": "SessionStart", "source": "startup", "session_id": f"n{number}"}
        hook.raw(json.dumps(start).encode())
        answer = hook(last_assistant_message=text, session_id=f"n{number}")
        assert answer.get("decision") == decision
        scanned = filled.client.post("/hook", content=stop(text, session_id=f"http{number}"))
        assert scanned.json().get("decision") == decision
