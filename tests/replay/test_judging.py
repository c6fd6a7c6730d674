"""``groundwire replay --judge``: a real client, a stub on loopback, a limit of dollars."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.support.judge_stub import Stub, judge_stub, statements, status
from tests.support.transcripts import Session

DOUBTED = statements((1, 97, "internal_contradiction", "call #1 took the first branch"))


@pytest.fixture
def cli(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """Return three turns: two that ran something and claim something, and talk."""
    session = Session()
    for number in (1, 2):
        session.prompt(f"load format {number}")
        session.bash(f"python -m shop.load{number}", "first branch")
        session.say(f"The loader {number} took the second branch now.")
    session.prompt("thanks")
    session.say("You are welcome.")
    return Path(session.write(tmp_path / "session.jsonl"))


def replayed(cli: Command, stub: Stub, transcript: Path, *options: str) -> tuple[list[str], str]:
    cli.settings(
        '[judge]\nmay = "decide"\nprovider = "anthropic"\nmodel = "claude-3-haiku-20240307"\n'
        'prices = { "anthropic/claude-3-haiku-20240307" = 0.5 }\nbudget_ms = 15000\n'
    )
    done = cli.process("replay", transcript, "--judge", "--format", "jsonl", *options, env=stub.env)
    assert done.returncode == 0, done.stderr.decode()
    lines = map(json.loads, done.stdout.decode().splitlines())
    return [one["decision"] for one in lines], done.stderr.decode()


def test_turns_are_stopped_by_the_judge_and_its_cost_is_told(
    cli: Command, transcript: Path
) -> None:
    with judge_stub("anthropic", DOUBTED) as stub:
        decisions, told = replayed(cli, stub, transcript)
        assert len(stub.requests) == 2
    assert decisions == ["block", "block", "pass"]
    assert "the judge answered about 2 turns for $1.0000" in told


def test_nobody_is_asked_beyond_the_limit(cli: Command, transcript: Path) -> None:
    with judge_stub("anthropic", DOUBTED) as stub:
        decisions, told = replayed(cli, stub, transcript, "--max-cost", "0.4")
        assert len(stub.requests) == 1
    assert decisions == ["block", "pass", "pass"]
    assert "1 were not asked about: --max-cost is reached" in told


def test_a_judge_that_fails_changes_nothing_and_is_told(cli: Command, transcript: Path) -> None:
    with judge_stub("anthropic", status(400, "no such model")) as stub:
        decisions, told = replayed(cli, stub, transcript)
    assert decisions == ["pass", "pass", "pass"]
    assert "2 times: " in told
