"""What ``judge.console`` cannot say of a judge in the hook: when it is asked, and by how many."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.conftest import Hook
from tests.support.judge_stub import MODELS, Step, Stub, judge_stub, statements
from tests.support.tables import rows
from tests.support.transcripts import Session

#: No marker stands in it; the run took the first branch.
UNMARKED = "The loader took the second branch."
#: The linear model stops its end, since a later run failed.
MESSAGE = f"I changed the loader. {UNMARKED} All tests pass."
AGAINST = (2, 96, "internal_contradiction", "call #1 took the first branch")
TURN = [
    ("prompt", "load both formats"),
    ("bash", "python -m shop.load --verbose", "first branch"),
    ("bash", "pytest -q", "1 failed, 11 passed in 0.41s", {"exit_code": 1}),
]


def settings(stub: Stub, when: str = "always") -> str:
    return (
        f'[judge]\nwhen = "{when}"\nmay = "decide"\nprovider = "{stub.provider}"\n'
        f'model = "{MODELS[stub.provider]}"\nbudget_ms = 15000\n'
    )


def event_with(hook: Hook, folder: Path, stub: Stub, when: str, says: str) -> dict[str, Any]:
    """Start a session with this judge, and return the event of its turn."""
    hook.env.update(stub.env)
    hook.start(settings(stub, when))
    path = Session().play([*TURN, ("say", says)]).write(folder / "session.jsonl")
    return {"last_assistant_message": says, "transcript_path": path}


def test_two_copies_of_the_hook_ask_once(hook: Hook, tmp_path: Path) -> None:
    with judge_stub("openai", Step("later", statements(AGAINST).text)) as stub:
        event = event_with(hook, tmp_path, stub, "always", MESSAGE)
        event |= {"hook_event_name": "Stop", "session_id": "s", "cwd": str(hook.home)}
        data = json.dumps(event).encode()
        with ThreadPoolExecutor(2) as pool:
            answers = [*pool.map(lambda _: hook.raw(data, None, "-I").stdout, range(2))]
        assert len(stub.requests) == 1
    assert sorted(b'"decision"' in answer for answer in answers) == [False, True]


def asked(when: str, says: str, more: dict[str, Any], *, hook: Hook, tmp_path: Path) -> bool:
    with judge_stub("openai", statements()) as stub:
        event = event_with(hook, tmp_path, stub, when, says.replace("CLAIMS", MESSAGE))
        hook(**event, agent_transcript_path=event["transcript_path"], **more)
        return len(stub.requests) == 1


test_row = rows(__file__, asked=asked)
