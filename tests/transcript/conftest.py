"""The step from a built session to the turn that the hook sees."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.model import Turn
from groundwire.transcript.read import tail_entries
from groundwire.transcript.turn import build_turn
from tests.support.transcripts import Session

OLDER = [["prompt", "an older prompt"], ["bash", "ls", "older.py"], ["say", "An older answer."]]


@pytest.fixture
def turn_of(tmp_path: Path) -> Callable[..., Turn]:
    """Write steps to a file behind an older turn, and read the last turn from its end."""

    def build(
        steps: Sequence[Sequence[Any]], *writes: Callable[[Session], object], **options: Any
    ) -> Turn:
        session = Session(**options).play([*OLDER, *steps])
        for write in writes:
            write(session)
        tail = tail_entries(session.write(tmp_path / "s.jsonl"))
        return build_turn(tail.entries, tail.partial)

    return build


def two_turns(message: str = "Done.") -> Session:
    """Return a session whose second turn begins with its third line."""
    second = [["prompt", "fix it"], ["bash", "make test", "3 passed"], ["say", message]]
    return Session().play([OLDER[0], OLDER[2], *second])
