"""Hundreds of sessions: the counts are right and memory does not grow with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.support.transcripts import Session

#: Runs the command in a process that says itself how much memory it has had, in KiB. What the
#: kernel reports to the parent would hold the parent's own peak, from before the start.
MEASURED = """
import atexit, sys
from groundwire.cli.main import main
def peak():
    try:
        with open("/proc/self/status") as status:
            rows = dict(line.split(":", 1) for line in status)
        kib = int(rows["VmHWM"].split()[0])
    except OSError:
        import resource
        kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stderr.write(f"PEAK {kib}")
atexit.register(peak)
sys.exit(main())
"""
#: The failed tests of the turn contradict the first one; the others tell what they saw.
MESSAGES = ("All tests pass.", "The log has a line.", "The log ends with a stack trace.", "Hello.")


#: Bytes that one tool call of a session returns: were all sessions kept, memory would double.
OUTPUT = 60_000


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with 600 sessions of two turns, 30 in each of its twenty folders."""
    root = tmp_path_factory.mktemp("sessions")
    for number in range(600):
        session = Session(session_id=f"5f0c1c6e-0000-4000-8000-{number:012}")
        session.prompt("why does the pool crash?")
        session.bash("pytest -q", f"{number} failed\n" + "." * OUTPUT, exit_code=1)
        session.say(MESSAGES[number % 4])
        session.prompt("thanks")
        session.say("Good.")
        path = root / f"project-{number // 30}" / f"{session.session_id}.jsonl"
        path.parent.mkdir(exist_ok=True)
        session.write(path)
    return root


def replay(cli: Command, *arguments: str | Path) -> tuple[list[str], int]:
    """Return the printed lines and the peak memory of a replay in KiB."""
    process = subprocess.run(
        [sys.executable, "-c", MEASURED, "replay", *map(str, arguments)],
        env=cli.env,
        cwd=cli.folder,
        capture_output=True,
        timeout=300,
        check=True,
    )
    name, kib = process.stderr.decode().split()
    assert name == "PEAK"
    return process.stdout.decode().splitlines(), int(kib)


def test_the_table_of_six_hundred_sessions(cli: Command, sessions: Path) -> None:
    _, small = replay(cli, sessions / "project-[01]")
    many, large = replay(cli, sessions)
    assert many[-1] == (
        "1200 turns in 600 transcripts: 150 would have been stopped (12.5 %), "
        "0 reported, 1050 clean"
    )
    assert large < 1.3 * small
