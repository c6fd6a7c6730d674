"""Turns in a few words, and what the whole pipeline says about a message that ends one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.turn.facts import Facts
from groundwire.model import Match, Verdict
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine, turn_of
from groundwire.settings import SHIPPED
from tests.evidence.runs.outputs.fixture import read as recorded
from tests.support.transcripts import Session

SCANNER = Scanner(shipped_rules())
Act = Callable[[Session], object]

__all__ = [
    "Act",
    "bash",
    "call",
    "edit",
    "facts",
    "grep",
    "matches",
    "reading",
    "recorded",
    "task",
    "write",
]


def bash(command: str, output: str, exit_code: int = 0) -> Act:
    return lambda session: session.bash(command, output, exit_code=exit_code)


def reading(path: str, text: str) -> Act:
    return lambda session: session.read(f"{session.cwd}/{path}", text)


def edit(path: str, old: str = "a = 1", new: str = "a = 2") -> Act:
    return lambda session: session.edit(f"{session.cwd}/{path}", old, new)


def write(path: str, text: str) -> Act:
    return lambda session: session.create(f"{session.cwd}/{path}", text)


def grep(pattern: str, *files: str) -> Act:
    return lambda session: session.grep(pattern, list(files))


def task(report: str) -> Act:
    return lambda session: session.task("look", "look into it", report)


def call(name: str, output: str) -> Act:
    return lambda session: session.call(name, {}, output)


def matches(
    folder: Path, message: str, acts: list[Act], prompt: str = "please do it"
) -> list[Match]:
    """Return every match of ``message`` after a turn of these acts."""
    session = Session()
    session.prompt(prompt)
    for act in acts:
        act(session)
    session.say(message)
    event = Event(
        "Stop",
        "s",
        cwd=str(folder),
        transcript_path=session.write(folder / "t.jsonl"),
        message=message,
    )
    examined = examine(event, turn_of(event), SCANNER, SHIPPED, Memory())
    return list(examined.analysis.matches)


def facts(folder: Path, acts: list[Act]) -> Facts | None:
    """Return the facts of a turn of these acts; None when it has none."""
    session = Session()
    session.prompt("please do it")
    for act in acts:
        act(session)
    session.say("Done.")
    event = Event("Stop", "s", transcript_path=session.write(folder / "t.jsonl"))
    return examine(event, turn_of(event), SCANNER, SHIPPED, Memory()).facts


def verdict_on(
    folder: Path, message: str, kind: str, acts: list[Act], prompt: str = "please do it"
) -> Verdict:
    """Return the verdict of the first match of ``kind``; one without status when there is none."""
    found = [one for one in matches(folder, message, acts, prompt) if one.kind == kind]
    return (found[0].verdict or Verdict("words only")) if found else Verdict("no match")
