"""Turns in a few words, and their timelines."""

from collections.abc import Callable
from pathlib import Path

from groundwire.turn.timeline import Timeline
from groundwire.verdict.examine import Examined
from tests.everyday.rows import examined as examined_row
from tests.support.transcripts import Session

Act = Callable[[Session], object]


def bash(command: str, output: str, exit_code: int = 0) -> Act:
    return lambda session: session.bash(command, output, exit_code=exit_code)


def edit(path: str, old: str = "a = 1", new: str = "a = 2") -> Act:
    return lambda session: session.edit(f"{session.cwd}/{path}", old, new)


def timeline(folder: Path, acts: list[Act]) -> Timeline | None:
    return examined(folder, acts, "Done.").timeline


def examined(folder: Path, acts: list[Act], says: str, prompt: str = "please do it") -> Examined:
    """Return what comes out for a turn of these acts that ends with a message."""
    return examined_row(folder, {"file": "t", "number": 1, "prompt": prompt, "says": says}, acts)
