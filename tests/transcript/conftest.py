"""The step from a built session to the turn that the hook sees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.model import Turn
from groundwire.transcript.read import tail_entries
from groundwire.transcript.turn import build_turn
from tests.support.transcripts import Session


@pytest.fixture
def turn_of(tmp_path: Path) -> Callable[..., Turn]:
    """Write the lines to a file behind an older turn, and read the last turn from its end."""

    def build(write: Callable[[Session], object], **options: Any) -> Turn:
        session = Session(**options)
        session.prompt("an older prompt")
        session.bash("ls", "older.py")
        session.say("An older answer.")
        write(session)
        tail = tail_entries(session.write(tmp_path / "s.jsonl"))
        return build_turn(tail.entries, tail.partial)

    return build
