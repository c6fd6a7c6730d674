"""What the hook remembers of a session's earlier turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.decision import Memory
from groundwire.state.loop import SessionState, read_memory
from tests.conftest import Hook
from tests.hook.conftest import Start
from tests.support.transcripts import Session

OK = "....\n42 passed in 1.20s"
BAD = "FAILED tests/test_cart.py::test_total\n3 failed, 39 passed in 1.31s"
CLAIM = "All tests pass."


class Talk:
    """A session that grows turn by turn, with a Stop event at the end of each."""

    def __init__(self, hook: Hook, folder: Path) -> None:
        self.hook = hook
        self.path = folder / "session.jsonl"
        self.session = Session()

    def turn(self, message: str, *calls: tuple[str, str, int], edit: str = "") -> dict[str, Any]:
        self.session.prompt(f"go on {len(self.session.entries)}")
        for command, output, code in calls:
            self.session.bash(command, output, exit_code=code)
        if edit:
            self.session.edit(edit, "a = 1", "a = 2")
        self.session.say(message)
        return self.stop(message)

    def stop(self, message: str, **fields: Any) -> dict[str, Any]:
        path = self.session.write(self.path)
        return self.hook(transcript_path=path, last_assistant_message=message, **fields)


@pytest.fixture
def talk(hook: Hook, start: Start, tmp_path: Path) -> Talk:
    start()
    return Talk(hook, tmp_path)


TESTED = ("pytest -q", OK, 0)
BROKEN = ("pytest -q", BAD, 1)
LOOK = ("git status --short", " M src/cart.py", 0)
CODE = "/home/dev/shop/src/cart.py"


def test_tests_of_an_earlier_turn_carry_the_claim(talk: Talk) -> None:
    assert talk.turn("The log is attached.", TESTED) == {}  # nothing matched, and it is kept
    assert "decision" not in talk.turn(CLAIM, LOOK)


def test_a_turn_without_a_tool_call_is_judged_by_them(talk: Talk) -> None:
    talk.turn("The log is attached.", BROKEN)
    answer = talk.turn(CLAIM)
    assert answer["decision"] == "block"
    assert "failed" in answer["reason"]
    assert "3 failed, 39 passed" in answer["reason"]


@pytest.mark.parametrize("between", [0, 2])
def test_an_edit_since_makes_them_stale(talk: Talk, between: int) -> None:
    talk.turn("The log is attached.", TESTED)
    talk.turn("The rounding is in place.", edit=CODE)
    for _ in range(between):
        talk.turn("The list is attached.", LOOK)
    answer = talk.turn(CLAIM, LOOK)
    assert answer["decision"] == "block"
    assert "cart.py was edited" in answer["reason"]


def test_a_turn_that_was_sent_back_is_kept_once(talk: Talk) -> None:
    talk.turn("The log is attached.", TESTED)
    assert talk.turn(CLAIM, edit=CODE)["decision"] == "block"
    talk.session.feedback("run them")
    talk.session.bash("pytest -q", OK)
    talk.session.say(CLAIM)
    assert "decision" not in talk.stop(CLAIM, stop_hook_active=True)
    digest = memory(talk.hook).digest
    assert digest is not None
    assert [(run.command, run.edited) for run in digest.runs] == [("pytest -q", ())]


def test_a_sub_agent_leaves_the_session_alone(talk: Talk, tmp_path: Path) -> None:
    talk.turn("The log is attached.", TESTED)
    before = memory(talk.hook).digest
    agent = Session(agent=True)
    agent.prompt("test it")
    agent.bash("cargo test", "test result: FAILED. 1 passed; 2 failed", exit_code=101)
    agent.say("It fails.")
    path = agent.write(tmp_path / "agent-1.jsonl")
    fields = {"agent_id": "a1", "agent_type": "tester", "agent_transcript_path": path}
    talk.hook(hook_event_name="SubagentStop", last_assistant_message="It fails.", **fields)
    assert memory(talk.hook).digest == before


def test_a_session_that_was_under_way_is_not_whole(hook: Hook, tmp_path: Path) -> None:
    talk = Talk(hook, tmp_path)  # without a SessionStart
    talk.turn("The log is attached.", LOOK)
    digest = memory(hook).digest
    assert digest is not None
    assert digest.whole is False


@pytest.mark.parametrize(
    ("source", "kept"), [("compact", True), ("resume", True), ("startup", False), ("clear", False)]
)
def test_what_a_session_start_forgets(talk: Talk, start: Start, source: str, kept: bool) -> None:
    talk.turn("The log is attached.", TESTED)
    start(source=source)
    digest = memory(talk.hook).digest
    assert digest is not None
    assert bool(digest.runs) is kept


def test_a_state_file_of_another_release_is_read(hook: Hook) -> None:
    state = SessionState(str(hook.state), "s")
    state.save(Memory(told=("x",)))
    state.close()
    [path] = (hook.state / "sessions").glob("*.json")
    plain = json.loads(path.read_text(encoding="utf-8"))
    del plain["digest"]
    path.write_text(json.dumps(plain), encoding="utf-8")
    assert (memory(hook).told, memory(hook).digest) == (("x",), None)


def memory(hook: Hook) -> Memory:
    return read_memory(str(hook.state), "s")
