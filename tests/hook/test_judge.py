"""A judge of the turn in the hook: real processes, official clients, a stub on loopback."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hook
from tests.hook.conftest import Start
from tests.hook.messages import LONE
from tests.hook.test_import_budget import modules_of_a_hook_run
from tests.support.judge_stub import (
    KEY,
    MODELS,
    PROVIDERS,
    Step,
    Stub,
    judge_stub,
    statements,
    status,
    text,
)
from tests.support.tables import table
from tests.support.transcripts import Session

COMMAND = "python -m pytest -q tests/test_load.py"
#: No marker stands in it; the run took the first branch.
UNMARKED = "The loader took the second branch."
#: The linear model stops it, since a later run failed.
MARKED = "All tests pass."
MESSAGE = f"I changed the loader. {UNMARKED} {MARKED}"
WHY = "call #1 took the first branch"
AGAINST = (2, 96, "internal_contradiction", WHY)
Turn = Callable[..., dict[str, Any]]


def settings(stub: Stub, when: str = "always", may: str = "decide") -> str:
    return (
        f'[judge]\nwhen = "{when}"\nmay = "{may}"\nprovider = "{stub.provider}"\n'
        f'model = "{MODELS[stub.provider]}"\nbudget_ms = 15000\n'
    )


@pytest.fixture
def turn(tmp_path: Path) -> Turn:
    """Return a function that writes a turn with an edit and two runs and returns its event."""

    def write(
        message: str = MESSAGE, output: str = "first branch", **fields: Any
    ) -> dict[str, Any]:
        session = Session()
        session.prompt("load both formats")
        session.bash("python -m shop.load --verbose", output)
        session.bash(COMMAND, "1 failed, 11 passed in 0.41s", exit_code=1)
        session.say(message)
        path = session.write(tmp_path / "session.jsonl")
        return {"last_assistant_message": message, "transcript_path": path, **fields}

    return write


def with_judge(hook: Hook, start: Start, stub: Stub, *arguments: str) -> None:
    hook.env.update(stub.env)
    start(settings(stub, *arguments))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_one_request_stops_a_sentence_without_a_marker_in_the_judges_words(
    hook: Hook, start: Start, turn: Turn, provider: str
) -> None:
    with judge_stub(provider, statements(AGAINST, (3, 2, "", ""))) as stub:
        with_judge(hook, start, stub)
        answer = hook(**turn())
    assert answer["decision"] == "block"
    assert f'"{UNMARKED}": a reviewer of this turn says "{WHY}"' in answer["reason"]
    assert "(call 1: python -m shop.load --verbose)" in answer["reason"]
    [match] = [one for one in answer["matches"] if one["evidence"] == UNMARKED]
    assert match["kind"] == "internal_contradiction"
    assert MESSAGE[match["offset"] :].startswith(UNMARKED)
    assert match["judge"] == {"probability": 96, "why": WHY, "call": 1}
    [request] = stub.requests
    asked = request.body["messages"][-1]["content"]
    assert f"[2] {UNMARKED}" in asked
    assert COMMAND in asked
    [line] = hook.log()
    assert (line["error"], line["notes"]) == ("", [])
    judge = line["judge"]
    assert (judge["provider"], judge["model"]) == (provider, MODELS[provider])
    assert judge["statements"][0] == {
        "n": 2,
        "offset": MESSAGE.index(UNMARKED),
        "probability": 96,
        "kind": "internal_contradiction",
        "why": WHY,
        "call": 1,
    }
    assert KEY not in json.dumps(hook.log())


def test_advise_shows_what_the_judge_says_and_leaves_the_decision(
    hook: Hook, start: Start, turn: Turn
) -> None:
    with judge_stub("openai", statements(AGAINST, (3, 4, "", "the run passed"))) as stub:
        with_judge(hook, start, stub, "always", "advise")
        answer = hook(**turn())
    assert answer["decision"] == "block"
    assert UNMARKED not in answer["reason"]
    said = {one["evidence"]: one["judge"]["probability"] for one in answer["matches"]}
    assert said[UNMARKED] == 96
    assert set(said.values()) == {96, 4}


def test_the_same_turn_is_asked_about_once(hook: Hook, start: Start, turn: Turn) -> None:
    with judge_stub("openai", statements(AGAINST)) as stub:
        with_judge(hook, start, stub)
        for session in ("s", "t"):
            assert hook(**turn(), session_id=session)["decision"] == "block"
        assert len(stub.requests) == 1
    first, second = (line["judge"] for line in hook.log())
    assert (first["cached"], second["cached"], second["cost"]) == (False, True, 0)
    assert first["statements"] == second["statements"]


def test_two_copies_of_the_hook_ask_once(hook: Hook, start: Start, turn: Turn) -> None:
    with judge_stub("openai", Step("later", statements(AGAINST).text)) as stub:
        with_judge(hook, start, stub)
        event = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(hook.home), **turn()}
        data = json.dumps(event).encode()
        with ThreadPoolExecutor(2) as pool:
            answers = [*pool.map(lambda _: hook.raw(data, None, "-I").stdout, range(2))]
        assert len(stub.requests) == 1
    assert sorted(b'"decision"' in answer for answer in answers) == [False, True]


WHEN = [
    ("claims", MESSAGE, True),
    ("claims", "I have looked at it.", False),
    ("always", "I have looked at it.", True),
    ("always", "Shall I go on?", False),
    ("always", "", False),
    ("unsure", MESSAGE, False),
    ("unsure", "I have looked at it.", False),
    ("off", MESSAGE, False),
]


@pytest.mark.parametrize(("when", "message", "asked"), WHEN)
def test_when_it_is_asked(
    hook: Hook, start: Start, turn: Turn, when: str, message: str, asked: bool
) -> None:
    with judge_stub("openai", statements()) as stub:
        with_judge(hook, start, stub, when)
        hook(**turn(message))
        assert len(stub.requests) == asked


def test_unsure_is_a_band_of_the_highest_confidence(hook: Hook, start: Start, turn: Turn) -> None:
    with judge_stub("openai", statements()) as stub:
        hook.env.update(stub.env)
        start(settings(stub, "unsure") + "band = [0, 100]\n")
        hook(**turn())
        assert len(stub.requests) == 1


@table
def test_a_turn_that_is_not_stopped_anyway_is_not_asked_about(
    event: dict[str, Any], hook: Hook, start: Start, turn: Turn
) -> None:
    with judge_stub("openai", statements()) as stub:
        with_judge(hook, start, stub)
        fields = turn(**event)
        hook(**fields, agent_transcript_path=fields["transcript_path"])
        assert stub.requests == []


@pytest.mark.parametrize(
    ("step", "note"),
    [
        (status(500), "openai: HTTP 500 (4 attempts)"),
        (text("I cannot review this."), "the reply holds no answer"),
    ],
)
def test_a_failure_is_no_opinion_and_a_note(
    hook: Hook, start: Start, turn: Turn, step: Step, note: str
) -> None:
    with judge_stub("openai", step) as stub:
        with_judge(hook, start, stub)
        assert hook(**turn())["decision"] == "block"  # as the linear model wants it
    [line] = hook.log()
    assert "judge" not in line
    [told] = line["notes"]
    assert told.startswith(f"no opinion of the judge: {note}")
    assert KEY not in json.dumps(line)


def test_a_slow_judge_is_given_up_when_the_budget_is_spent(
    hook: Hook, start: Start, turn: Turn
) -> None:
    with judge_stub("openai", Step("slow")) as stub:
        hook.env.update(stub.env)
        start(settings(stub).replace("15000", "1500"))
        started = time.monotonic()
        assert hook(**turn())["decision"] == "block"
        took = time.monotonic() - started
    assert took < 8  # the stub would have taken 10 s
    [note] = hook.log()[0]["notes"]
    assert note.startswith("no opinion of the judge: no ")


def test_after_three_failures_it_is_left_alone_and_that_is_told_once(
    hook: Hook, start: Start, turn: Turn
) -> None:
    messages = []
    with judge_stub("openai", text("no")) as stub:
        with_judge(hook, start, stub)
        for number in range(5):
            answer = hook(**turn(), session_id=f"s{number}")
            messages.append(answer.get("systemMessage", ""))
        assert len(stub.requests) == 3
    assert [bool(one) for one in messages] == [False, False, True, False, False]
    assert "failed 3 times in a row and is left alone for 10 minutes" in messages[2]
    assert "left alone" in hook.log()[4]["notes"][0]


@pytest.mark.parametrize("limit", ["calls_per_day = 1", "cost_per_day = 0.0001"])
def test_the_limits_of_a_day_are_told_once(
    hook: Hook, start: Start, turn: Turn, limit: str
) -> None:
    told = []
    with judge_stub("openai", statements()) as stub:
        hook.env.update(stub.env)
        prices = '[judge.prices]\n"openai/gpt-4o-mini" = 0.001\n'
        start(f"{settings(stub)}{limit}\n{prices}")
        for number in range(3):
            message = f"{MESSAGE} It is version {number}."
            answer = hook(**turn(message), session_id=f"s{number}")
            told.append(limit.partition(" ")[0] in answer.get("systemMessage", ""))
        assert len(stub.requests) == 1
    assert told == [False, True, False]


def test_secrets_are_masked_unless_the_settings_say_otherwise(
    hook: Hook, start: Start, turn: Turn
) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ"
    event = turn(f"{MESSAGE} Write to ann@example.org.", f"first branch with {secret}")
    for redact in (True, False):
        with judge_stub("openai", statements()) as stub:
            hook.env.update(stub.env)
            start(f"{settings(stub)}redact = {str(redact).lower()}\n", session_id=str(redact))
            hook(**event, session_id=str(redact))
            sent = json.dumps(stub.requests[0].body)
        assert (secret in sent, "ann@example.org" in sent) == (not redact, not redact)


def test_a_project_cannot_switch_it_on_by_itself(hook: Hook, start: Start, turn: Turn) -> None:
    with judge_stub("openai", statements()) as stub:
        hook.env.update(stub.env)
        (hook.home / ".groundwire.toml").write_text(settings(stub), encoding="utf-8")
        start()
        hook(**turn())
        assert stub.requests == []


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
    own = (
        "groundwire.judge",
        "groundwire.service.turn_judge",
        "groundwire.turn_page",
        "groundwire.text.secrets",
    )
    assert not {name for name in modules if name.startswith(own)}
