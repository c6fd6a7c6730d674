"""A replay knows what the tools of a transcript's earlier turns did, as the hook does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.replay.test_replay import outcomes
from tests.support.transcripts import Session

Act = Callable[[Session], object]

CLAIM = "All tests pass."


def pass_tests(session: Session) -> None:
    session.bash("mvn -q test", "Tests run: 42, Failures: 0, Errors: 0, Skipped: 0\nBUILD SUCCESS")


def broken(session: Session) -> None:
    said = "Tests run: 42, Failures: 3, Errors: 0, Skipped: 0\nBUILD FAILURE"
    session.bash("mvn -q test", said, exit_code=1)


def edited(session: Session) -> None:
    session.edit("/home/dev/shop/src/Cart.java", "a = 1", "a = 2")


def looked(session: Session) -> None:
    session.bash("git status --short", " M src/Cart.java")


def write(path: Path, *turns: tuple[list[Act], str]) -> Path:
    """Write a session; a turn without a message was interrupted."""
    session = Session()
    for acts, message in turns:
        session.prompt("go on")
        for act in acts:
            act(session)
        if message:
            session.say(message)
        else:
            session.interrupt()
    session.write(path)
    return path


LOG = "The log is attached."
DECISIONS: list[tuple[str, list[tuple[list[Act], str]], list[str]]] = [
    ("carried", [([pass_tests], LOG), ([looked], CLAIM)], ["pass", "pass"]),
    ("stale", [([pass_tests], LOG), ([edited], LOG), ([looked], CLAIM)], ["pass", "pass", "block"]),
    ("failed", [([broken], LOG), ([], CLAIM)], ["pass", "block"]),
    ("made good", [([broken], LOG), ([pass_tests], LOG), ([], CLAIM)], ["pass"] * 3),
    # the interrupted turn is no turn of the replay, but its edit was made
    ("interrupted", [([pass_tests], LOG), ([edited], ""), ([looked], CLAIM)], ["pass", "block"]),
]


@pytest.mark.parametrize(
    ("turns", "decisions"), [row[1:] for row in DECISIONS], ids=[row[0] for row in DECISIONS]
)
def test_earlier_turns(
    cli: Command, turns: list[tuple[list[Act], str]], decisions: list[str]
) -> None:
    path = write(cli.folder / "s.jsonl", *turns)
    found = outcomes(cli, path)
    assert [outcome["decision"] for outcome in found] == decisions
    assert [outcome["turn"] for outcome in found] == list(range(1, len(found) + 1))


def test_turns_before_since_are_known(cli: Command) -> None:
    path = write(cli.folder / "s.jsonl", ([pass_tests], LOG), ([edited], LOG), ([looked], CLAIM))
    last = outcomes(cli, path)[-1]
    assert outcomes(cli, path, "--since", last["timestamp"]) == [last]
