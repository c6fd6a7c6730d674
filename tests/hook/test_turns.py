"""Earlier turns of a session that the hook remembers, and lines of the present one that are late.

A call of the hook here waits for a transcript that another thread writes.
"""

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.decision import Memory
from groundwire.state.loop import SessionState, read_memory
from tests.conftest import Hook
from tests.hook.messages import LONE
from tests.support.transcripts import Session

CLAIM = "All tests pass."
TESTED = ("pytest -q", "....\n42 passed in 1.20s", 0)
BROKEN = ("pytest -q", "FAILED tests/test_cart.py::test_total\n3 failed, 39 passed in 1.31s", 1)
LOOK = ("git status --short", " M src/cart.py", 0)
CODE = "/home/dev/shop/src/cart.py"


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
def talk(hook: Hook, tmp_path: Path) -> Talk:
    hook.start()
    return Talk(hook, tmp_path)


def memory(hook: Hook) -> Memory:
    return read_memory(str(hook.state), "s")


def test_tests_of_an_earlier_turn_count(talk: Talk) -> None:
    assert talk.turn("The log is attached.", TESTED) == {}  # nothing matched, and it is kept
    assert "decision" not in talk.turn(CLAIM, LOOK)
    talk.turn("The log is attached.", BROKEN)
    assert "3 failed, 39 passed" in talk.turn(CLAIM)["reason"]


def test_an_edit_since_makes_them_stale_and_a_second_try_is_kept_once(talk: Talk) -> None:
    talk.turn("The log is attached.", TESTED)
    talk.turn("The rounding is in place.", edit=CODE)
    talk.turn("The list is attached.", LOOK)
    assert "cart.py was edited" in talk.turn(CLAIM, LOOK)["reason"]
    talk.session.feedback("run them")
    talk.session.bash("pytest -q", TESTED[1])
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
    Talk(hook, tmp_path).turn("The log is attached.", LOOK)  # without a SessionStart
    digest = memory(hook).digest
    assert digest is not None
    assert digest.whole is False


@pytest.mark.parametrize(
    ("source", "kept"), [("compact", True), ("resume", True), ("startup", False), ("clear", False)]
)
def test_what_a_session_start_forgets(talk: Talk, source: str, kept: bool) -> None:
    talk.turn("The log is attached.", TESTED)
    talk.hook.start(source=source)
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


SECRET = "hunter2Secret9"
HOLDERS = [
    f"pytest -q --db-password {SECRET}",
    f"pytest -q --url=https://bob:{SECRET}@db.example/x",
    f"pytest -q -k 'Bearer {SECRET}'",
]


@pytest.mark.parametrize("command", HOLDERS)
def test_a_secret_in_a_command_is_nowhere_in_the_files(talk: Talk, command: str) -> None:
    """And the run is known again by the rest of its command."""
    said = f"All tests pass, I think. Run `{command}` to see it."
    talk.turn(said, (command, *BROKEN[1:]))
    digest = memory(talk.hook).digest
    assert digest is not None
    assert [run.status for run in digest.runs] == ["failed"]
    files = [path for path in talk.hook.home.rglob("*") if path.is_file()]
    assert {".json", ".jsonl"} <= {path.suffix for path in files}
    assert not [path for path in files if SECRET in path.read_text("utf-8")]
    talk.turn("The log is attached.", (command, *TESTED[1:]))
    digest = memory(talk.hook).digest
    assert digest is not None
    assert [run.status for run in digest.runs] == ["passed"]


@pytest.mark.parametrize(("days", "kept"), [(6, True), (8, False)])
def test_sessions_are_forgotten_after_a_week(hook: Hook, days: int, kept: bool) -> None:
    hook(session_id="old", last_assistant_message=LONE)
    moment = time.time() - days * 86_400
    left = [*(hook.state / "sessions").glob("*.json"), hook.state / "sessions" / "x.json.9-ab.tmp"]
    for path in left:
        path.touch()
        os.utime(path, (moment, moment))
    hook.start(session_id="new")
    assert [path.exists() for path in left] == [kept, kept]


# lines that are late


def later(seconds: float, act: Callable[[], object]) -> None:
    threading.Timer(seconds, act).start()


def turn(*calls: tuple[str, str, int], edit: bool = False, says: str = CLAIM) -> list[bytes]:
    """Return the lines of a session of one turn."""
    session = Session()
    session.prompt("fix the cart")
    for command, output, code in calls:
        session.bash(command, output, exit_code=code)
    if edit:
        session.edit(CODE, "a = 1", "a = 2")
    if says:
        session.say(says)
    return session.data().splitlines(keepends=True)


LATE = [
    ("a result", turn(BROKEN, says=""), 2, "3 failed"),
    ("a call and the final message", turn(TESTED, edit=True), 3, "then cart.py was edited"),
    ("the whole file", turn(BROKEN), 0, "3 failed"),
]


@pytest.mark.parametrize(("lines", "there", "reason"), [row[1:] for row in LATE], ids=lambda _: "")
def test_what_comes_late_still_counts(
    hook: Hook, tmp_path: Path, lines: list[bytes], there: int, reason: str
) -> None:
    path = tmp_path / "t.jsonl"
    if there:
        path.write_bytes(b"".join(lines[:there]))
    later(0.1, lambda: path.write_bytes(b"".join(lines)))
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert reason in answer["reason"]


def test_what_never_comes_holds_nothing_up(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(turn(BROKEN)[:-2]))
    assert "decision" not in hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert hook.log()[-1]["notes"] == ["the transcript lacks the result of a tool call"]
    path.write_bytes(b"".join(turn(TESTED, says="")))
    assert "decision" not in hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert hook.log()[-1]["notes"] == []
