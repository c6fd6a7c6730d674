"""One thing that the doctor found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundwire.base.record import Record

OK, NOTE, WARNING, BROKEN = "ok", "note", "warning", "broken"
#: From what needs nothing to what does not work.
LEVELS = (OK, NOTE, WARNING, BROKEN)


class Finding(Record):
    """What was found in one area; ``remedy`` is the command, or the step, that mends it."""

    area: str
    level: str
    text: str
    remedy: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {name: getattr(self, name) for name in type(self)._fields}


class Surroundings(Record):
    """What is examined: the environment, the working folder, the present second, an agent's name.

    ``agent`` is "" for all agents.
    """

    env: Mapping[str, str]
    folder: Path
    now: float
    agent: str = ""
