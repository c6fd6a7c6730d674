"""One thing that the doctor found; ``findings.toml`` has level, words and remedy of each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from groundwire.base.record import Record
from groundwire.base.settings import Settings

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


class Examined(Record):
    """What the checks of extras are told: the place, settings, registrations, recent records.

    ``registrations`` are those of the hook in Claude Code, ``records`` lines of the decision log.
    """

    place: Surroundings
    settings: Settings
    registrations: Sequence[Any]
    records: Sequence[Mapping[str, Any]]


@cache
def table() -> dict[str, dict[str, list[str]]]:
    """Return the rows of ``findings.toml`` by area and name: level, words, remedy."""
    return tomllib.loads(
        files("groundwire.commands.checks").joinpath("findings.toml").read_text("utf-8")
    )


def found(row: str, level: str = "", remedy: str = "", **values: object) -> Finding:
    """Return the finding of a row, such as ``hook.none``, with ``values`` put into its words.

    ``level`` and ``remedy`` take the place of those of the row.
    """
    area, _, name = row.partition(".")
    usual, *texts = table()[area][name]
    text, mends = [one.format(**values) for one in (*texts, "")[:2]]
    return Finding(area, level or usual, text, remedy or mends)
