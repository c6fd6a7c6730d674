"""Turns that no tool expects: each is judged, by all that can be read of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.evidence.signature import covers, sign
from groundwire.model import BLOCK
from tests.evidence.turns import bash, edit, examined

FAILING = bash("pytest -q", "1 failed, 3 passed in 0.20s", exit_code=1)
CLAIM = "All tests pass."


@pytest.mark.parametrize(
    "command",
    [
        "x" * 495,
        f"{'dir/' * 130}run --fast",
        "x" * 5_000,
        "make " + " ".join(f"target-{number}" for number in range(80)),
        "pytest " + " ".join(f"tests/test_{number}.py" for number in range(900)),
    ],
    ids=["long word", "long path", "longer word", "many targets", "many files"],
)
def test_a_long_command_leaves_the_turn_checked(tmp_path: Path, command: str) -> None:
    acts = [edit("a.py"), bash(command, "make: *** [target-7] Error 1", exit_code=2), FAILING]
    found = examined(tmp_path, acts, CLAIM)
    assert found.notes == ()
    assert found.decision.action == BLOCK
    assert found.timeline is not None
    assert len(found.timeline.runs) == 2


def test_a_long_signature_keeps_its_parts_and_tells_commands_apart() -> None:
    places = [f"tests/test_{number}.py" for number in range(80)]
    long, other = sign("test pytest", (), places, ()), sign("test pytest", (), places[:-1], ())
    assert long.count("|") == 3
    assert len(long) <= 500
    assert long != other
    assert covers(long, long)
    assert not covers(other, long)
