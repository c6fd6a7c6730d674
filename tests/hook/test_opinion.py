"""The judge's second opinion in the hook: real process, official client, stub on loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hook
from tests.hook.conftest import Start
from tests.hook.messages import CLEAN, GUESS, LONE, LONE_MATCH
from tests.hook.test_import_budget import modules_of_a_hook_run
from tests.support.judge_stub import (
    KEY,
    MODELS,
    PROVIDERS,
    Step,
    Stub,
    judge_stub,
    status,
    structured,
    text,
)
from tests.support.transcripts import Session

REPORTED = {"matches": [LONE_MATCH]}
Turn = Callable[[str], dict[str, Any]]


def settings(stub: Stub, budget: int = 15_000, more: str = "", report: int = 0) -> str:
    return (
        f"{more}\n[thresholds]\nreport = {report}\nblock = 100\nmessage_block = 100\n"
        f'[judge]\nenabled = true\nprovider = "{stub.provider}"\n'
        f'model = "{MODELS[stub.provider]}"\nbudget_ms = {budget}\n'
    )


@pytest.fixture
def turn(tmp_path: Path) -> Turn:
    """Return a function that writes a turn with one tool call and returns its event."""

    def write(message: str) -> dict[str, Any]:
        session = Session()
        session.prompt("why does the import fail?")
        session.bash("python -m shop.load", "ValueError: line 7: unexpected comma", exit_code=1)
        session.say(message)
        path = session.write(tmp_path / "session.jsonl")
        return {"last_assistant_message": message, "transcript_path": path}

    return write


def with_judge(hook: Hook, start: Start, stub: Stub, **more: Any) -> None:
    hook.env.update(stub.env)
    start(settings(stub, **more))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_reported_match_gets_an_opinion_and_nothing_else_changes(
    hook: Hook, start: Start, turn: Turn, provider: str
) -> None:
    with judge_stub(provider, structured(0.2)) as stub:
        with_judge(hook, start, stub)
        answer = hook(**turn(LONE))
    assert set(answer) == {"matches"}
    [match] = answer["matches"]
    [line] = hook.log()
    assert (line["decision"], line["error"], line["notes"]) == ("report", "", [])
    judge = line["judge"]
    assert (judge["provider"], judge["model"]) == (provider, MODELS[provider])
    [opinion] = judge["opinions"]
    assert opinion.pop("milliseconds") > 0
    assert opinion == {
        "offset": 0,
        "confidence": match["confidence"],
        "score": 0.2,
        "model": MODELS[provider],
        "input_tokens": 400,
        "output_tokens": 9,
        "cost": None if provider == "anthropic" else 0.0002,
        "cached": False,
    }
    [request] = stub.requests
    asked = request.body["messages"][-1]["content"]
    assert "<query>\nwhy does the import fail?\n</query>" in asked
    assert f"<statement>\n{LONE}\n</statement>" in asked
    assert "$ Bash: python -m shop.load\nerror: " in asked
    assert "ValueError: line 7: unexpected comma" in asked
    assert KEY not in json.dumps(hook.log())


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_no_opinion_changes_the_decision(
    hook: Hook, start: Start, turn: Turn, score: float
) -> None:
    event = turn(LONE)
    with judge_stub("openai", structured(score)) as stub:
        off = settings(stub).replace("enabled = true", "enabled = false")
        start(off, session_id="off")
        without = hook(**event, session_id="off")
        hook.env.update(stub.env)
        start(settings(stub), session_id="on")
        assert hook(**event, session_id="on") == without
        assert len(stub.requests) == 1
    first, second = hook.log()
    assert "judge" not in first
    assert second["judge"]["opinions"][0]["score"] == score
    same = ("decision", "why", "matches", "counts")
    assert [first[name] for name in same] == [second[name] for name in same]


@pytest.mark.parametrize("message", [CLEAN, GUESS, ""])
def test_only_what_is_reported_without_a_block_is_asked_about(
    hook: Hook, start: Start, message: str
) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        with_judge(hook, start, stub)
        answer = hook(last_assistant_message=message)
        assert stub.requests == []
    assert answer.get("decision") == ("block" if message == GUESS else None)
    assert "judge" not in hook.log()[-1]


def test_a_match_at_a_block_threshold_that_is_held_is_not_asked_about(
    hook: Hook, start: Start
) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        with_judge(hook, start, stub, report=50)
        answer = hook(last_assistant_message=f"{GUESS}\n\n{LONE}", permission_mode="plan")
        statements = [request.body["messages"][-1]["content"] for request in stub.requests]
    assert "decision" not in answer
    assert [LONE in asked for asked in statements] == [True]
    assert [GUESS in asked for asked in statements] == [False]


def test_no_more_statements_than_allowed_and_each_sentence_once(hook: Hook, start: Start) -> None:
    sentences = [f"I think it is parser {number}." for number in range(6)]
    with judge_stub("openai", structured(0.9)) as stub:
        hook.env.update(stub.env)
        start(settings(stub, more="").replace("[judge]", "[judge]\nstatements = 2"))
        hook(last_assistant_message="\n\n".join(sentences))
        asked = {request.body["messages"][-1]["content"] for request in stub.requests}
    assert len(asked) == len(stub.requests) == 2
    assert len(hook.log()[-1]["judge"]["opinions"]) == 2


def test_the_user_is_told_when_notify_is_on(hook: Hook, start: Start) -> None:
    with judge_stub("openai", structured(0.25)) as stub:
        with_judge(hook, start, stub, more="notify = true")
        answer = hook(last_assistant_message=LONE)
    first, second = answer["systemMessage"].splitlines()
    assert first.startswith("groundwire: 1 doubtful statement")
    assert second == (
        f'groundwire: second opinion of gpt-4o-mini, advisory only: backed to 25%: "{LONE}"'
    )
    assert answer["matches"] == [LONE_MATCH]


@pytest.mark.parametrize(
    ("step", "note"),
    [
        (status(500), "openai: HTTP 500 (4 attempts)"),
        (status(401, KEY), "openai: HTTP 401: the key is not accepted"),
        (text("I cannot rate this."), "the reply holds no score"),
        (Step("raw", "<html>"), "openai: "),
        (Step("drop"), "openai: no connection"),
    ],
)
def test_a_failure_is_no_opinion_and_a_note(
    hook: Hook, start: Start, step: Step, note: str
) -> None:
    with judge_stub("openai", step) as stub:
        with_judge(hook, start, stub, more="notify = true")
        answer = hook(last_assistant_message=LONE)
    assert answer["matches"] == REPORTED["matches"]
    assert len(answer["systemMessage"].splitlines()) == 1
    [line] = hook.log()
    assert "judge" not in line
    assert (line["decision"], line["error"]) == ("report", "")
    [told] = line["notes"]
    assert told.startswith(f"no second opinion at 0: {note}")
    assert KEY not in json.dumps(line)


def test_one_failure_costs_only_its_own_opinion(hook: Hook, start: Start) -> None:
    with judge_stub("openai", status(404), structured(0.7)) as stub:
        with_judge(hook, start, stub)
        hook(last_assistant_message=f"{LONE}\n\nI think it is the lexer.")
    [line] = hook.log()
    assert [one["score"] for one in line["judge"]["opinions"]] == [0.7]
    assert len(line["notes"]) == 1


def test_a_slow_judge_is_given_up_when_the_budget_is_spent(hook: Hook, start: Start) -> None:
    with judge_stub("openai", Step("slow")) as stub:
        with_judge(hook, start, stub, budget=1500)
        started = time.monotonic()
        assert hook(last_assistant_message=LONE) == REPORTED
        took = time.monotonic() - started
    assert took < 8  # the stub would have taken 10 s
    [note] = hook.log()[0]["notes"]
    assert note.startswith("no second opinion")


def test_a_missing_key_is_a_note(hook: Hook, start: Start) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        start(settings(stub))
        assert hook(last_assistant_message=LONE) == REPORTED
        assert stub.requests == []
    told = "no second opinion: openai: OPENAI_API_KEY is not set in the environment"
    assert hook.log()[0]["notes"] == [told]


def test_the_same_statement_is_judged_once(hook: Hook, start: Start) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        with_judge(hook, start, stub)
        for session in ("s", "t"):
            hook(last_assistant_message=LONE, session_id=session)
        assert len(stub.requests) == 1
    opinions = [line["judge"]["opinions"][0] for line in hook.log()]
    assert [(one["cached"], one["score"]) for one in opinions] == [(False, 0.9), (True, 0.9)]
    assert opinions[1]["cost"] == 0


def test_the_address_and_the_price_of_the_settings(hook: Hook, start: Start) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        hook.env["OPENAI_API_KEY"] = KEY
        prices = f'base_url = "{stub.address}"\n[judge.prices]\n"openai/gpt-4o-mini" = 0.5\n'
        start(settings(stub) + prices)
        hook(last_assistant_message=LONE)
        assert len(stub.requests) == 1
    assert hook.log()[0]["judge"]["opinions"][0]["cost"] == 0.5


def test_a_project_cannot_switch_it_on_by_itself(hook: Hook, start: Start) -> None:
    with judge_stub("openai", structured(0.9)) as stub:
        hook.env.update(stub.env)
        (hook.home / ".groundwire.toml").write_text(settings(stub), encoding="utf-8")
        start()
        answer = hook(last_assistant_message=LONE)
        assert stub.requests == []
    assert answer["matches"] == [LONE_MATCH]


def test_nothing_of_it_is_imported_while_it_is_off(tmp_path: Path, transcript: Path) -> None:
    event = {
        "hook_event_name": "Stop",
        "session_id": "s1",
        "cwd": str(tmp_path),
        "transcript_path": str(transcript),
        "last_assistant_message": LONE,
    }
    modules = modules_of_a_hook_run(tmp_path, event)
    assert "groundwire.service.hook" in modules
    own = ("groundwire.judge", "groundwire.service.opinion", "groundwire.render.ledger_text")
    assert not {name for name in modules if name.startswith(own)}
