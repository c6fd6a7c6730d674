"""What the files of a session keep, and lines of its present turn that are late.

A call of the hook here waits for a transcript that another thread writes.
"""

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.state.loop import read_memory
from tests.cli.command import Command
from tests.conftest import Hook
from tests.hook.messages import LONE
from tests.support.console import Client
from tests.support.transcripts import Session

CLAIM = "All tests pass."
TESTED = "....\n42 passed in 1.20s"
BROKEN = "FAILED tests/test_cart.py::test_total\n3 failed, 39 passed in 1.31s"


SECRET = "hunter2Secret9"
HOLDERS = ["--db-password {}", "--url=https://bob:{}@db.example/x", "-k 'Bearer {}'"]


@pytest.mark.parametrize("command", [f"pytest -q {one.format(SECRET)}" for one in HOLDERS])
def test_a_secret_and_a_message_are_nowhere_in_the_files(cli: Command, command: str) -> None:
    """And the run is known again by the rest of its command."""
    client = Client(cli)
    client.to("s.jsonl")
    for output, status in ((BROKEN, "failed"), (TESTED, "passed")):
        client.step("prompt go on", [])
        client.session.bash(command, output, exit_code=status == "failed")
        said = f"All tests pass, I think. Run `{command}` to see it. Zebulon will."
        client.answer("stop", said, {})
        digest = read_memory(str(client.hook.state), client.session.session_id).digest
        assert digest
        assert [run.status for run in digest.runs] == [status]
    files = [path for path in (cli.home / ".local").rglob("*") if path.is_file()]
    assert {".json", ".jsonl"} <= {path.suffix for path in files}
    texts = [path.read_text("utf-8").lower() for path in files]
    assert not [text for text in texts if SECRET.lower() in text or "zebulon" in text]


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


def turn(*steps: Sequence[Any]) -> list[bytes]:
    """Return the lines of a session of one turn."""
    session = Session().play([("prompt", "fix the cart"), *steps])
    return session.data().splitlines(keepends=True)


FAILING = ("bash", "pytest -q", BROKEN, {"exit_code": 1})
PASSING = ("bash", "pytest -q", TESTED)
EDIT = ("edit", "/home/dev/shop/src/cart.py", "a = 1", "a = 2")
SAY = ("say", CLAIM)
#: A result, a call and the final message, the whole file.
LATE = [
    (turn(FAILING), 2, "3 failed"),
    (turn(PASSING, EDIT, SAY), 3, "then cart.py was edited"),
    (turn(FAILING, SAY), 0, "3 failed"),
]


@pytest.mark.parametrize(("lines", "there", "reason"), LATE, ids=lambda _: "")
def test_what_comes_late_still_counts(
    hook: Hook, tmp_path: Path, lines: list[bytes], there: int, reason: str
) -> None:
    path = tmp_path / "t.jsonl"
    if there:
        path.write_bytes(b"".join(lines[:there]))
    threading.Timer(0.05, path.write_bytes, [b"".join(lines)]).start()
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert reason in answer["reason"]


def test_what_never_comes_holds_nothing_up(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(turn(FAILING, SAY)[:-2]))
    assert "decision" not in hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert hook.log()[-1]["notes"] == ["the transcript lacks the result of a tool call"]
    path.write_bytes(b"".join(turn(PASSING)))
    assert "decision" not in hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert hook.log()[-1]["notes"] == []
