"""One transcript to the outcomes of its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from groundwire.decision import Memory
from groundwire.errors import NoTranscriptError
from groundwire.event import STOP, SUBAGENT_STOP, Event
from groundwire.evidence.session import Digest
from groundwire.hosts.read import all_entries as host_entries
from groundwire.hosts.read import host_of
from groundwire.model import BLOCK, Decision, Turn
from groundwire.record import Record
from groundwire.render.reason import reason_text
from groundwire.replay.sources import is_agent_transcript
from groundwire.service.baseline import new_decision
from groundwire.service.examine import Examined, examine
from groundwire.service.runtime import Runtime
from groundwire.settings import Thresholds
from groundwire.text.language import unchecked
from groundwire.transcript.session import all_entries, split_turns

Judge = Callable[[Examined], Examined]
_AGENT_TYPE = "subagent"  # a transcript does not name the type


class Outcome(Record):
    """What the hook would have decided at the end of one turn.

    ``not_checked`` names the language of a message for which there are no markers.
    """

    path: Path
    number: int  # of the turn in its transcript, from 1
    turn: Turn
    decision: Decision
    reason: str = ""
    not_checked: str = ""


def replay_transcript(
    path: Path, runtime: Runtime, since: str = "", judge: Judge | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of every turn that ended with a message, from ``since`` on.

    Nothing is kept: each turn is judged as if nothing had been sent back in its session. What the
    tools of its earlier turns did is known, as it is to the hook, also that of turns before
    ``since`` and of those that were interrupted. ``judge`` may change what is found of a turn.
    Raises TranscriptError when the file cannot be read, or holds no line of a session.
    """
    number = 0
    for turn, examined in turns_examined(path, runtime, since):
        number += bool(turn.message)
        if not turn.message or turn.timestamp < since:
            continue
        decision = (judge(examined) if judge else examined).decision
        reason = ""
        if decision.action == BLOCK:
            reason = reason_text(turn.message, decision, interactive=True)
        yield Outcome(path, number, turn, decision, reason, unchecked(examined.analysis.language))


def without_known(outcome: Outcome, known: frozenset[str], thresholds: Thresholds) -> Outcome:
    """Return an outcome in which the findings with these fingerprints do not count."""
    message, before = outcome.turn.message, outcome.decision
    decision = new_decision(message, before, known, thresholds)
    stops = decision.action == BLOCK
    reason = reason_text(message, decision, interactive=True) if stops else ""
    return outcome.replace(decision=decision, reason=reason)


def examined_turn(path: Path, runtime: Runtime, number: int = 0) -> Examined | None:
    """Return what the hook would make of one turn that ended with a message; None without it.

    ``number`` counts these turns from 1; 0 means the last one.
    """
    latest, count = None, 0
    for turn, examined in turns_examined(path, runtime, ""):
        count += bool(turn.message)
        latest = examined if turn.message else latest
        if latest and count == number:
            return latest
    return None if number else latest


def turns_examined(path: Path, runtime: Runtime, since: str) -> Iterator[tuple[Turn, Examined]]:
    """Yield every turn of a transcript with what the hook would make of it."""
    agent, empty = is_agent_transcript(path), True
    host = host_of(str(path))
    entries = host_entries(host, str(path)) if host else all_entries(str(path))
    for pair in examined_turns(entries, runtime, agent, since):
        yield pair
        empty = False
    if empty:
        raise NoTranscriptError(
            f"{path}: no line of a session in it; expected a transcript of Claude Code, *.jsonl, "
            "or of another host"
        )


def examined_turns(
    entries: Iterable[dict[str, Any]],
    runtime: Runtime,
    agent: bool,
    since: str = "",
    *,
    on_disk: bool = True,
) -> Iterator[tuple[Turn, Examined]]:
    """Yield every turn among the lines of one transcript with what the hook would make of it.

    ``agent`` says that it is a sub-agent's own. Without ``on_disk`` paths and commits are looked
    for in the transcript alone, as on a machine that does not have the project.
    """
    memory = Memory(digest=Digest())
    for turn in split_turns(entries, agent=agent, unfinished=True):
        judged = turn if turn.timestamp >= since else turn.replace(message="")
        event = Event(
            SUBAGENT_STOP if agent else STOP,
            turn.session_id,
            agent_type=_AGENT_TYPE if agent else "",
            message=judged.message,
            cwd=turn.cwd if on_disk else "",
        )
        examined = examine(event, judged, runtime.scanner, runtime.settings, memory)
        memory = Memory(digest=examined.memory.digest)
        yield turn, examined
