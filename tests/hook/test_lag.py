"""The transcript is written late: the hook waits a little for a result that is on its way."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from tests.conftest import Hook
from tests.support.transcripts import Session

CLAIM = "All tests pass."
FAILED = "FAILED tests/test_cart.py::test_total\n===== 1 failed, 7 passed in 0.31s ====="


def write_without_result(path: Path) -> bytes:
    """Write a turn whose only tool call has no result yet; return the line that is missing."""
    session = Session()
    session.prompt("fix the cart")
    session.bash("pytest", FAILED, exit_code=1)
    lines = session.data().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    return lines[-1]


def test_a_result_that_comes_late_still_counts(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    missing = write_without_result(path)

    def append() -> None:
        time.sleep(0.3)
        with path.open("ab") as file:
            file.write(missing)

    writer = threading.Thread(target=append)
    writer.start()
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM)
    writer.join()
    assert answer["decision"] == "block"
    assert "1 failed" in answer["reason"]


def test_a_result_that_never_comes_is_noted(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write_without_result(path)
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert "decision" not in answer
    assert hook.log()[-1]["notes"] == ["the transcript lacks the result of a tool call"]


def test_calls_that_come_late_with_the_final_message_still_count(
    hook: Hook, tmp_path: Path
) -> None:
    session = Session(str(tmp_path))
    session.prompt("fix the cart")
    session.bash("pytest", "8 passed in 0.31s")
    early = session.data()
    session.edit(str(tmp_path / "cart.py"), "a = 1", "a = 2")
    session.say(CLAIM)
    path = tmp_path / "t.jsonl"
    path.write_bytes(early)

    def append() -> None:
        time.sleep(0.1)
        path.write_bytes(session.data())

    writer = threading.Thread(target=append)
    writer.start()
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM, cwd=str(tmp_path))
    writer.join()
    assert answer["decision"] == "block"
    assert "then cart.py was edited" in answer["reason"]


def test_a_final_message_that_never_comes_holds_nothing_up(hook: Hook, tmp_path: Path) -> None:
    session = Session()
    session.prompt("fix the cart")
    session.bash("pytest", "8 passed in 0.31s")
    path = session.write(tmp_path / "t.jsonl")
    started = time.monotonic()
    assert "decision" not in hook(transcript_path=path, last_assistant_message=CLAIM)
    assert time.monotonic() - started < 5
    assert not hook.log()[-1]["notes"]


def test_a_transcript_that_is_begun_late_still_counts(hook: Hook, tmp_path: Path) -> None:
    session = Session(str(tmp_path))
    session.prompt("fix the cart")
    session.bash("pytest", FAILED, exit_code=1)
    session.say(CLAIM)
    path = tmp_path / "t.jsonl"
    hook(transcript_path="", last_assistant_message="Hello.")  # the hook itself is warm

    def begin() -> None:
        time.sleep(0.1)
        path.write_bytes(session.data())

    writer = threading.Thread(target=begin)
    writer.start()
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM)
    writer.join()
    assert "1 failed" in answer["reason"]
