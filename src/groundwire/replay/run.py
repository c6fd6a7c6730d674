"""One transcript to the outcomes of its turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from groundwire.decision import Memory
from groundwire.event import STOP, SUBAGENT_STOP, Event
from groundwire.model import BLOCK, Decision, Turn
from groundwire.record import Record
from groundwire.render.reason import reason_text
from groundwire.replay.sources import is_agent_transcript
from groundwire.service.examine import examine
from groundwire.service.full import Runtime
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import split_turns

_AGENT_TYPE = "subagent"  # a transcript does not name the type


class Outcome(Record):
    """What the hook would have decided at the end of one turn."""

    path: Path
    number: int  # of the turn in its transcript, from 1
    turn: Turn
    decision: Decision
    reason: str = ""


def replay_transcript(path: Path, runtime: Runtime, since: str = "") -> Iterator[Outcome]:
    """Yield the outcome of every turn that ended with a message, from ``since`` on.

    Stateless: each turn is judged as the first of its session. Raises TranscriptError when the
    file cannot be read.
    """
    agent = is_agent_transcript(path)
    for number, turn in enumerate(split_turns(all_entries(str(path)), agent=agent), 1):
        if turn.timestamp < since:
            continue
        event = Event(
            SUBAGENT_STOP if agent else STOP,
            turn.session_id,
            agent_type=_AGENT_TYPE if agent else "",
            message=turn.message,
            cwd=turn.cwd,
        )
        examined = examine(event, turn, runtime.scanner, runtime.settings, Memory())
        decision = examined.decision
        reason = ""
        if decision.action == BLOCK:
            reason = reason_text(turn.message, decision, interactive=True)
        yield Outcome(path, number, turn, decision, reason)
