"""What ``judge.console`` cannot say of a judge in the hook: each provider, when, copies, time."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hook
from tests.support.judge_stub import KEY, MODELS, PROVIDERS, Step, Stub, judge_stub, statements
from tests.support.tables import rows
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
    """Return a function that writes a turn with two runs and returns its event."""

    def write(message: str = MESSAGE, **fields: Any) -> dict[str, Any]:
        session = Session()
        session.prompt("load both formats")
        session.bash("python -m shop.load --verbose", "first branch")
        session.bash(COMMAND, "1 failed, 11 passed in 0.41s", exit_code=1)
        session.say(message)
        path = session.write(tmp_path / "session.jsonl")
        return {"last_assistant_message": message, "transcript_path": path, **fields}

    return write


def with_judge(hook: Hook, stub: Stub, *arguments: str) -> None:
    hook.env.update(stub.env)
    hook.start(settings(stub, *arguments))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_one_request_stops_a_sentence_without_a_marker_in_the_judges_words(
    hook: Hook, turn: Turn, provider: str
) -> None:
    with judge_stub(provider, statements(AGAINST, (3, 2, "", ""))) as stub:
        with_judge(hook, stub)
        answer = hook(**turn())
    assert answer["decision"] == "block"
    assert f'"{UNMARKED}": a reviewer of this turn says "{WHY}"' in answer["reason"]
    assert "(call 1: python -m shop.load --verbose)" in answer["reason"]
    [request] = stub.requests
    asked = request.body["messages"][-1]["content"]
    assert f"[2] {UNMARKED}" in asked
    assert COMMAND in asked
    [line] = hook.log()
    assert (line["error"], line["notes"]) == ("", [])
    said = {"n": 2, "probability": 96, "kind": "internal_contradiction", "why": WHY, "call": 1}
    judge = line["judge"]
    assert (judge["provider"], judge["model"]) == (provider, MODELS[provider])
    assert judge["statements"][0] == {**said, "offset": MESSAGE.index(UNMARKED)}
    assert KEY not in json.dumps(hook.log())


def test_two_copies_of_the_hook_ask_once(hook: Hook, turn: Turn) -> None:
    with judge_stub("openai", Step("later", statements(AGAINST).text)) as stub:
        with_judge(hook, stub)
        event = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(hook.home), **turn()}
        data = json.dumps(event).encode()
        with ThreadPoolExecutor(2) as pool:
            answers = [*pool.map(lambda _: hook.raw(data, None, "-I").stdout, range(2))]
        assert len(stub.requests) == 1
    assert sorted(b'"decision"' in answer for answer in answers) == [False, True]


def asked(when: str, message: str, event: dict[str, Any], *, hook: Hook, turn: Turn) -> bool:
    with judge_stub("openai", statements()) as stub:
        with_judge(hook, stub, when)
        fields = turn(message.replace("CLAIMS", MESSAGE), **event)
        hook(**fields, agent_transcript_path=fields["transcript_path"])
        return len(stub.requests) == 1


test_row = rows(__file__, asked=asked)


def test_a_slow_judge_is_given_up_when_the_budget_is_spent(hook: Hook, turn: Turn) -> None:
    with judge_stub("openai", Step("slow")) as stub:
        hook.env.update(stub.env)
        hook.start(settings(stub).replace("15000", "1500"))
        started = time.monotonic()
        assert hook(**turn())["decision"] == "block"
        took = time.monotonic() - started
    assert took < 8  # the stub would have taken 10 s
    [note] = hook.log()[0]["notes"]
    assert note.startswith("no opinion of the judge: no ")
