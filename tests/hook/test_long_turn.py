"""The real hook at the end of turns with thousands of tool calls: outcome, time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from groundwire.transcript.read import CAP
from tests.conftest import RUN, Hook
from tests.evidence.test_growth import mixed
from tests.support.transcripts import Session

CWD = "/home/dev/shop"
MESSAGE = "All tests pass now. I also ran `terraform validate`."
FAILED = "tests/test_cart.py::test_total FAILED\n=== 1 failed, 41 passed in 3.10s ==="
#: Runs the hook as a child of a small process: the highest memory of a child counts that of the
#: process that starts it, which for these tests is large.
MEASURE = """
import os, sys
run, event = sys.argv[1:]
child = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", run], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 0, event, os.O_RDONLY, 0)])
_, status, used = os.wait4(child, 0)
print(status, used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
"""
#: Kilobytes are what Linux counts in; macOS counts in bytes.
UNIT = 2**20 if sys.platform == "darwin" else 2**10
#: Work that grows with the square of the calls would take 16 times as long for four times as many.
FACTOR = 8
#: Megabytes that the hook may take on top of what it takes for a turn without calls; at most 8 MiB
#: of a transcript are read, and held as bytes and as the texts in them.
MOST = 40
ROUNDS = 3


class Measured(NamedTuple):
    """One run of the hook: its answer, its log entry, seconds of CPU time, megabytes at most."""

    answer: dict[str, Any]
    record: dict[str, Any]
    seconds: float
    megabytes: float


def transcript(path: Path, count: int, size: int, *, last_fails: bool = True) -> int:
    """Write a turn of ``count`` calls with results of ``size`` characters; return their sum."""
    session = Session(cwd=CWD)
    session.prompt("fix the cart")
    session.bash("terraform validate", "Success! The configuration is valid.")
    total = 0
    for number in range(count):
        call = mixed(number, size)
        result = call.result or ""
        total += len(result)
        session.call(call.name, call.input, result, error=call.is_error, details={})
    if last_fails:
        session.bash("pytest", FAILED, exit_code=1)
    else:
        session.bash("pytest", "=== 42 passed in 3.10s ===")
    session.say(MESSAGE)
    session.write(path)
    return total


def measured(hook: Hook, path: Path, message: str = MESSAGE) -> Measured:
    """Run the hook on the turn, once warm, and return the best of its times."""
    event = {
        "session_id": path.stem,
        "hook_event_name": "Stop",
        "cwd": CWD,
        "transcript_path": str(path),
        "last_assistant_message": message,
    }
    file = path.with_suffix(".event")
    found = []
    for number in range(ROUNDS):  # a session of its own each time: nothing is said twice
        file.write_text(json.dumps({**event, "session_id": f"{path.stem}-{number}"}))
        command = [sys.executable, "-I", "-S", "-c", MEASURE, str(RUN), str(file)]
        process = subprocess.run(
            command, env=hook.env, capture_output=True, text=True, timeout=120, check=True
        )
        status, seconds, peak = process.stderr.split()
        assert status == "0"
        answer = json.loads(process.stdout) if process.stdout else {}
        found.append(Measured(answer, hook.log()[-1], float(seconds), float(peak) / UNIT))
    return min(found, key=lambda one: one.seconds)


def verdicts(run: Measured) -> dict[str, str]:
    return {match["marker"]: match["verdict"] for match in run.record["matches"]}


@pytest.mark.parametrize(("last_fails", "decision"), [(True, "block"), (False, "pass")])
def test_two_thousand_calls_are_read_whole(
    hook: Hook, tmp_path: Path, last_fails: bool, decision: str
) -> None:
    path = tmp_path / "whole.jsonl"
    transcript(path, 2_000, 800, last_fails=last_fails)
    assert path.stat().st_size < CAP
    run = measured(hook, path)
    assert run.record["decision"] == decision
    assert run.record["notes"] == []
    if last_fails:
        assert verdicts(run)["behavior.tests.all-pass"] == "contradicted"
        assert "1 failed, 41 passed" in run.answer["reason"]


def test_cpu_time_grows_with_the_calls(hook: Hook, tmp_path: Path) -> None:
    seconds = {}
    for count in (0, 500, 1_000, 2_000):
        path = tmp_path / f"{count}.jsonl"
        transcript(path, count, 800)
        seconds[count] = measured(hook, path).seconds
    start = seconds[0]
    assert seconds[2_000] - start < FACTOR * max(seconds[500] - start, 0.01), seconds
    assert seconds[2_000] - start < FACTOR / 2 * max(seconds[1_000] - start, 0.01), seconds


def test_fifty_megabytes_take_bounded_memory_and_time(hook: Hook, tmp_path: Path) -> None:
    """Beyond the cap the ledger is partial and says so; what the end shows still counts."""
    runs = {}
    for count in (0, 1_000, 2_000):
        path = tmp_path / f"{count}.jsonl"
        total = transcript(path, count, 32_000)
        runs[count] = measured(hook, path)
    assert total > 50_000_000
    short, half, whole = runs.values()
    assert [short.record["notes"], bool(half.record["notes"])] == [[], True]
    assert "its ledger is partial" in whole.record["notes"][-1]
    assert whole.record["decision"] == "block"
    assert verdicts(whole)["behavior.tests.all-pass"] == "contradicted"
    # terraform ran before what was read: that it did not run is not to be said
    assert verdicts(whole).get("reference.command") in (None, "not_checkable")
    assert whole.megabytes - short.megabytes < MOST
    assert whole.megabytes < 1.2 * half.megabytes
    assert whole.seconds < 2 * half.seconds


def test_what_lies_beyond_the_cap_is_not_checkable(hook: Hook, tmp_path: Path) -> None:
    session = Session(cwd=CWD)
    session.prompt("fix the cart")
    session.bash("npm run build", "✓ built in 2.32s")
    for number in range(400):
        session.read(f"{CWD}/data/{number}.csv", "1;2;3\n" * 6_000)
    session.edit(f"{CWD}/src/cart.ts", "a", "b")
    session.say("The build succeeds.")
    path = tmp_path / "beyond.jsonl"
    session.write(path)
    assert path.stat().st_size > CAP
    run = measured(hook, path, "The build succeeds.")
    assert run.record["decision"] == "pass"
    assert set(verdicts(run).values()) <= {"not_checkable"}
    assert "its ledger is partial" in run.record["notes"][-1]
