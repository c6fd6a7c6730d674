"""``groundwire label`` on a terminal; ``label.console`` has answers from a pipe."""

import json
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.support.terminal import Terminal
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


def test_single_keys_on_a_terminal(cli: Command, transcript: Path) -> None:
    with Terminal(cli, "label", transcript) as terminal:
        terminal.wait_for("[1/3]")
        terminal.wait_for("q quit >")
        assert b"\x1b[1;31m" in terminal.shown  # the match stands out
        terminal.type("Y")  # no line feed is needed, and capitals count
        terminal.wait_for("[2/3]")
        assert flags(cli)[0] == 1  # kept before the next one is asked
        terminal.type("nq")  # typed ahead
        assert "1 flagged, 1 not flagged in this run, 1 left" in terminal.rest()


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_leaving_keeps_the_answers(cli: Command, transcript: Path, key: str) -> None:
    with Terminal(cli, "label", transcript) as terminal:
        terminal.wait_for("q quit >")
        terminal.type("n")
        terminal.wait_for("[2/3]")
        terminal.type(key)
        assert "1 not flagged in this run, 2 left" in terminal.rest()
        assert b"Traceback" not in terminal.shown
    assert flags(cli) == [0, "open"]
