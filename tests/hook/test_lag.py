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
