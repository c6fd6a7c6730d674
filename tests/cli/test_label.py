"""``groundwire label`` on a terminal; ``label.console`` has answers from a pipe."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.command import GROUNDWIRE, Command
from tests.support.transcripts import Session

FIRST = "I think it is the parser."
SECOND = "It is probably the cache."
THIRD = "All tests pass."
FAILED = "FAILED tests/test_pool.py::test_drain - assert 3 == 4\n1 failed, 7 passed in 0.41s"


@pytest.fixture
def transcript(cli: Command) -> Path:
    session = Session(cwd="/home/dev/shop")
    session.prompt("why does the\npool crash?")
    session.bash("ls", "a.py")
    session.say(f"{FIRST}\n\n{SECOND}")
    session.prompt("mend it")
    session.bash("pytest -q", FAILED, exit_code=1)
    session.say(THIRD)
    return Path(session.write(cli.folder / "one.jsonl"))


def flags(cli: Command) -> list[int | str | None]:
    lines = [json.loads(line) for line in (cli.folder / "labels.jsonl").read_text().splitlines()]
    labels = [label for line in lines for label in line["labels"].values()]
    return ["open" if label.get("open") else label["flag"] for label in labels]


class Terminal:
    """The command on a pseudo-terminal: type keys, wait for what they bring."""

    def __init__(self, cli: Command, *arguments: str | Path) -> None:
        self.reading, writing = pty.openpty()
        self.process = subprocess.Popen(
            [GROUNDWIRE, *map(str, arguments)],
            stdin=writing,
            stdout=writing,
            stderr=writing,
            env={**cli.env, "TERM": "xterm-256color", "COLUMNS": "100"},
            cwd=cli.folder,
            start_new_session=True,
        )
        os.close(writing)
        self.shown = b""

    def type(self, keys: str) -> None:
        os.write(self.reading, keys.encode())

    def wait_for(self, text: str) -> None:
        """Read until ``text`` is shown; fails after 30 seconds."""
        end = time.monotonic() + 30
        while text.encode() not in self.shown:
            assert time.monotonic() < end, self.shown.decode(errors="replace")
            if select.select([self.reading], [], [], 0.2)[0]:
                with suppress(OSError):  # how a terminal ends
                    self.shown += os.read(self.reading, 65536)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(30)
        os.close(self.reading)


def test_single_keys_on_a_terminal(cli: Command, transcript: Path) -> None:
    with Terminal(cli, "label", transcript) as terminal:
        terminal.wait_for("[1/3]")
        terminal.wait_for("q quit >")
        assert b"\x1b[1;31m" in terminal.shown  # the match stands out
        terminal.type("Y")  # no line feed is needed, and capitals count
        terminal.wait_for("[2/3]")
        assert flags(cli)[0] == 1  # kept before the next one is asked
        terminal.type("nq")  # typed ahead
        terminal.wait_for("1 flagged, 1 not flagged in this run, 1 left")
        assert terminal.process.wait(30) == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_leaving_keeps_the_answers(cli: Command, transcript: Path, key: str) -> None:
    with Terminal(cli, "label", transcript) as terminal:
        terminal.wait_for("q quit >")
        terminal.type("n")
        terminal.wait_for("[2/3]")
        terminal.type(key)
        terminal.wait_for("1 not flagged in this run, 2 left")
        assert terminal.process.wait(30) == 0
        assert b"Traceback" not in terminal.shown
    assert flags(cli) == [0, "open"]
