"""Turns in a few words, and their timelines."""

from collections.abc import Callable
from pathlib import Path

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.timeline import Timeline
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import Examined, examine, turn_of
from groundwire.settings import SHIPPED, Settings
from tests.support.transcripts import Session

SCANNER = Scanner(shipped_rules())
Act = Callable[[Session], object]


def bash(command: str, output: str, exit_code: int = 0) -> Act:
    return lambda session: session.bash(command, output, exit_code=exit_code)


def reading(path: str, text: str) -> Act:
    return lambda session: session.read(f"{session.cwd}/{path}", text)


def edit(path: str, old: str = "a = 1", new: str = "a = 2") -> Act:
    return lambda session: session.edit(f"{session.cwd}/{path}", old, new)


def grep(pattern: str, *files: str) -> Act:
    return lambda session: session.grep(pattern, list(files))


def timeline(folder: Path, acts: list[Act]) -> Timeline | None:
    return examined(folder, acts, "Done.").timeline


def examined(folder: Path, acts: list[Act], message: str, settings: Settings = SHIPPED) -> Examined:
    """Return what comes out for a turn of these acts that ends with ``message``."""
    session = Session()
    session.prompt("please do it")
    for act in acts:
        act(session)
    session.say(message)
    event = Event("Stop", "s", transcript_path=session.write(folder / "t.jsonl"))
    return examine(event, turn_of(event), SCANNER, settings, Memory())
