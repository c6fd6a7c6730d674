"""``groundwire label``: answers from a pipe and from a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

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


def lines(cli: Command, name: str = "labels.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (cli.folder / name).read_text().splitlines()]


def flags(cli: Command) -> list[int | str | None]:
    return [
        "open" if label.get("open") else "skipped" if label.get("skipped") else label["flag"]
        for line in lines(cli)
        for label in line["labels"].values()
    ]


def test_what_a_rater_sees(cli: Command, transcript: Path) -> None:
    printed = cli.out("label", transcript, stdin="q")
    screen = printed.splitlines()
    assert "[1/3] one.jsonl, turn 1" in screen
    assert "asked: why does the pool crash?" in screen
    at = screen.index(f"    {FIRST}")
    assert screen[at + 1].rstrip() == "    ~~~~~~~"
    assert re.search(r"^speculation_language  \d+ [A-Z_]+  speculation\.", printed, re.MULTILINE)
    assert screen[-1] == "nothing in this run, 3 left: labels.jsonl"
    assert SECOND not in printed


def test_answers_and_resuming(cli: Command, transcript: Path) -> None:
    printed = cli.out("label", transcript, stdin="y\nn\n")
    assert "1 flagged, 1 not flagged in this run, 1 left" in printed
    assert flags(cli) == [1, 0]
    printed = cli.out("label", transcript, stdin="?")
    assert "2 of 3 sentences are done already" in printed
    assert "[3/3]" in printed
    assert "1 unsure in this run, 0 left" in printed
    assert flags(cli) == [1, 0, None]
    assert "nothing in this run, 0 left" in cli.out("label", transcript, stdin="yyy")
    assert flags(cli) == [1, 0, None]


def test_undo_and_unknown_keys(cli: Command, transcript: Path) -> None:
    printed = cli.out("label", transcript, stdin="yyyuuuq")
    assert "that was the last one: u undo  q quit > u" in printed
    assert lines(cli) == []
    printed = cli.out("label", transcript, stdin="uxyyuunq")
    assert printed.count("nothing to undo in this run") == 1
    assert printed.count("not a key") == 1
    assert printed.count("[1/3]") == 2
    assert "1 not flagged in this run, 2 left" in printed
    assert flags(cli) == [0, "open"]


def test_skip_goes_to_the_next_message(cli: Command, transcript: Path) -> None:
    printed = cli.out("label", transcript, stdin="sy")
    assert "1 flagged, 2 skipped in this run, 0 left" in printed
    assert flags(cli) == ["skipped", "skipped", 1]


def test_the_line_of_a_message(cli: Command, transcript: Path) -> None:
    cli.out("label", transcript, "--out", "mine.jsonl", stdin="yq")
    [line] = lines(cli, "mine.jsonl")
    assert list(line) == [
        *("id", "repo", "session", "transcript", "turn", "text", "units", "labels")
    ]
    assert (line["repo"], line["turn"]) == ("shop", 1)
    assert line["transcript"] == str(transcript.resolve())
    assert [line["text"][a:b] for a, b in line["units"]] == [FIRST, SECOND]
    assert line["labels"]["1"] == {"flag": 1, "kind": "speculation_language", "sure": 1}
    assert line["labels"]["2"] == {"flag": None, "kind": "none", "open": True}


def test_labels_can_be_calibrated_with(cli: Command, transcript: Path) -> None:
    """They find their turns again; the set is far too small for a fit."""
    cli.out("label", transcript, stdin="yny")
    said = cli.refused("calibrate", "labels.jsonl")
    assert "1 session; to leave one out needs two repositories or sessions" in said
    assert "turn" not in said


def test_a_broken_label_file_is_refused_and_kept(cli: Command, transcript: Path) -> None:
    path = cli.write("labels.jsonl", '{"id": "a"}\n')
    assert "labels.jsonl:1: text: " in cli.refused("label", transcript, stdin="y")
    assert path.read_text() == '{"id": "a"}\n'


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
