"""The message of a logged decision, read again from its transcript when somebody looks.

Claude Code goes on writing into a transcript, so the file is read only up to the message; what
came later was not known to the hook either.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

from groundwire.config.load import load
from groundwire.decision import Memory, telling
from groundwire.errors import ConfigError, TranscriptError
from groundwire.event import STOP, SUBAGENT_STOP, Event
from groundwire.evidence.session import Digest
from groundwire.model import Match, Turn
from groundwire.record import Record
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.environment import without_session
from groundwire.service.examine import examine
from groundwire.settings import SHIPPED, Settings
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import split_turns
from groundwire_admin.service.views import TextState


class Reading(Record):
    """What was read: the state of the text, and with ``found`` the turn and its matches."""

    state: TextState
    problem: str = ""
    turn: Turn = Turn()
    matches: tuple[Match, ...] = ()


def read_message(
    transcript: str, message_id: str, event: str, agent_type: str, env: Mapping[str, str]
) -> Reading:
    """Find a message in its transcript and analyse it as the hook did, with present settings."""
    if not transcript or not message_id:
        return Reading("unknown", "the log names no transcript or no message")
    if not os.path.exists(transcript):
        return Reading("transcript_gone", "the transcript is not there any more")
    try:
        length = _length_up_to(transcript, message_id)
        if not length:
            return Reading("message_gone", "the transcript does not hold the message")
        return _examined(transcript, length, Event(event, agent_type=agent_type), env)
    except TranscriptError as error:
        return Reading("unreadable", str(error).removeprefix(f"{transcript}: "))


def _length_up_to(path: str, message_id: str) -> int:
    """Return the number of entries up to the last one of the message; 0 when it has none."""
    last = 0
    for number, entry in enumerate(all_entries(path), start=1):
        message = entry.get("message")
        own = message.get("id") if isinstance(message, dict) else None
        if entry.get("type") == "assistant" and message_id in (own, entry.get("uuid")):
            last = number
    return last


def _examined(path: str, length: int, event: Event, env: Mapping[str, str]) -> Reading:
    agent = event.name == SUBAGENT_STOP
    turn, memory = Turn(), Memory(digest=Digest())
    for following in split_turns(islice(all_entries(path), length), agent=agent, unfinished=True):
        memory = _remembering(memory, turn)
        turn = following
    if not turn.message:
        return Reading("message_gone", "no turn ended with the message")
    settings, scanner, problem = _configured(turn.cwd, env)
    asked = event.replace(session_id=turn.session_id, cwd=turn.cwd)
    matches = examine(asked, turn, scanner, settings, memory).analysis.matches
    return Reading("found", problem, turn, telling(matches))


def _remembering(memory: Memory, turn: Turn) -> Memory:
    """Return what is known of a session after a turn: what its tools did, not what it said."""
    event = Event(STOP, turn.session_id, cwd=turn.cwd)
    silent = turn.replace(message="")
    return Memory(digest=examine(event, silent, _shipped_scanner(), SHIPPED, memory).memory.digest)


def _configured(cwd: str, env: Mapping[str, str]) -> tuple[Settings, Scanner, str]:
    """Return settings and scanner for a folder; the shipped ones when its settings are broken."""
    try:
        loaded = load(without_session(env), cwd or "/")
    except ConfigError as error:
        return SHIPPED, _shipped_scanner(), f"shipped settings are used: {error}"
    scanner = Scanner(loaded.rules) if loaded.rules else _shipped_scanner()
    return loaded.settings, scanner, ""


@lru_cache(maxsize=1)
def _shipped_scanner() -> Scanner:
    return Scanner(shipped_rules())
