"""The message of a logged decision, read again from its transcript when somebody looks.

Claude Code goes on writing into a transcript, so the file is read only up to the message; what
came later was not known to the hook either.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from groundwire.base.errors import ConfigError, TranscriptError
from groundwire.base.model import BLOCK, Decision, Match, ToolCall, Turn
from groundwire.base.record import Record
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED, Settings
from groundwire.hook.session import without_session
from groundwire.inputs.event import STOP, SUBAGENT_STOP, Event
from groundwire.inputs.transcript import STOP_FEEDBACK, message_of, text_of
from groundwire.inputs.turns import all_entries, build_turn
from groundwire.language.automaton import Scanner
from groundwire.report.reason import NAME, reason_text
from groundwire.runs.digest import digest_of_turn
from groundwire.runs.past_stop import turns_until
from groundwire.settings.load import load
from groundwire.turn.page import TurnDigest
from groundwire.turn.session import Digest
from groundwire.verdict.assess import BASE
from groundwire.verdict.decision import Memory, blocking, without_faint_companions
from groundwire.verdict.examine import examine
from groundwire_server.admin.service.view import View, added_up, viewed
from groundwire_server.admin.store.log_rows import clean
from groundwire_server.admin.store.tables import DecisionMatch

_LONGEST_CALL = 4_000
#: Characters that are shown on each side of a match in a list.
_AROUND = 110
_MOST_LINES = 50


class FactorView(View):
    """One factor of a confidence: the base and the ``points`` of all add up to it.

    ``call_id`` is the tool call that shows it, empty where none does.
    """

    name: str
    weight: float
    value: float
    points: int
    call_id: str


class CallView(View):
    """The tool call that a verdict points to, with what it returned (cut)."""

    id: str
    name: str
    input: str
    result: str | None
    is_error: bool


class ReadMatchView(View):
    """A match found again in the transcript, with what the log does not keep.

    ``confidence`` is calculated with the present settings; ``logged_confidence`` is the one at the
    time, null for a match that is new since then.
    """

    kind: str
    marker: str
    offset: int
    length: int
    evidence: str
    confidence: int
    logged_confidence: int | None
    verdict: str
    why: str
    accuser: str
    call_id: str
    line: str
    context: str
    base: int
    factors: list[FactorView]

    @property
    def call_ids(self) -> list[str]:
        """The tool calls that were looked at: that of the verdict, then those of the factors."""
        ids = (self.call_id, *(one.call_id for one in self.factors))
        return [one for one in dict.fromkeys(ids) if one]


TextState = Literal["found", "transcript_gone", "message_gone", "unreadable", "unknown"]


class Reading(Record):
    """What was read: the state of the text, and with ``found`` the turn and its matches.

    ``settings`` are the present ones of its folder; ``digest`` is what a judge is shown of it.
    ``told`` is what the transcript has of the hook's answer to the message.
    """

    state: TextState
    problem: str = ""
    turn: Turn = Turn()
    matches: tuple[Match, ...] = ()
    settings: Settings = SHIPPED
    digest: TurnDigest | None = None
    told: str = ""


def read_message(
    transcript: str, message_id: str, event: str, agent_type: str, env: Mapping[str, str]
) -> Reading:
    """Find a message in its transcript and analyse it as the hook did, with present settings."""
    reading = _read(transcript, message_id, Event(event, agent_type=agent_type), env)
    if reading.state == "found":
        return reading
    return reading.replace(settings=present_settings(env))


def _read(transcript: str, message_id: str, event: Event, env: Mapping[str, str]) -> Reading:
    if not transcript or not message_id:
        return Reading("unknown", "the log names no transcript or no message")
    if not os.path.exists(transcript):
        return Reading("transcript_gone", "the transcript is not there any more")
    try:
        turns = turns_until(transcript, message_id, event.name == SUBAGENT_STOP)
        if not turns:
            return Reading("message_gone", "the transcript does not hold the message")
        return _examined(turns, event, env).replace(told=_answer_to(transcript, message_id))
    except TranscriptError as error:
        return Reading("unreadable", str(error).removeprefix(f"{transcript}: "))


def present_settings(env: Mapping[str, str]) -> Settings:
    """Return the settings that hold outside of any project."""
    return _configured("", env)[0]


def words_around(
    transcript: str, message_id: str, match: DecisionMatch, *, agent: bool
) -> tuple[str, str]:
    """Return what stands in the message before and after a match, on its line and not too long.

    Emphasis goes. Two empty texts when the message is not there any more, or has other words in
    that place.
    """
    text = message_text(transcript, message_id, agent=agent)
    start, end = match.offset, match.offset + match.length
    if not clean(text[start:end], match.length).startswith(match.evidence) or not match.length:
        return "", ""
    before, after = text[:start].rpartition("\n")[2], text[end:].partition("\n")[0]
    if len(before) > _AROUND:
        before = f"... {before[-_AROUND:].partition(' ')[2]}"
    if len(after) > _AROUND:
        after = f"{after[:_AROUND].rpartition(' ')[0]} ..."
    before, after = before.replace("**", ""), after.replace("**", "")
    return clean(before, 2 * _AROUND), clean(after, 2 * _AROUND)


def message_text(transcript: str, message_id: str, *, agent: bool) -> str:
    """Return the text of a message as it stands in its transcript now, "" when it does not."""
    try:
        size = os.stat(transcript).st_size if transcript and message_id else 0
        return _message_text(transcript, message_id, size, agent) if size else ""
    except (OSError, ValueError):
        return ""


@lru_cache(maxsize=400)
def _message_text(path: str, message_id: str, _size: int, agent: bool) -> str:
    """Return the text of a message; only its own lines of the file are parsed."""
    entries: list[dict[str, Any]] = []
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        wanted = json.dumps(message_id).encode()
        at = data.find(wanted)
        while at >= 0 and len(entries) < _MOST_LINES:
            end = data.find(b"\n", at)
            end = end if end >= 0 else len(data)
            entry = json.loads(data[data.rfind(b"\n", 0, at) + 1 : end])
            if isinstance(entry, dict) and entry.get("type") == "assistant":
                entries.append(entry)
            at = data.find(wanted, end)
    return build_turn(entries, agent=agent).message


def _answer_to(path: str, message_id: str) -> str:
    """Return the hook's answer to a message; "" when nothing of groundwire's was sent back."""
    told, follows = "", False
    for entry in all_entries(path):
        kind, message = entry.get("type"), message_of(entry)
        if kind == "assistant" and message_id in (message.get("id"), entry.get("uuid")):
            told, follows = "", True
        elif follows and kind in ("assistant", "user"):
            text = text_of(message.get("content"))
            follows = kind == "user" and text.startswith(STOP_FEEDBACK)
            if follows and NAME in text:
                told = text[text.find(NAME) :]
    return told


def _examined(turns: Sequence[Turn], event: Event, env: Mapping[str, str]) -> Reading:
    """Return the last turn as the hook saw it, after what the tools did in those before."""
    memory, turn = Memory(digest=Digest()), turns[-1]
    for before in turns[:-1]:
        ended = Event(STOP, before.session_id, cwd=before.cwd)
        silent = before.replace(message="")
        digest = examine(ended, silent, _shipped_scanner(), SHIPPED, memory).memory.digest
        memory = Memory(digest=digest)
    settings, scanner, problem = _configured(turn.cwd, env)
    asked = event.replace(session_id=turn.session_id, cwd=turn.cwd)
    examined = examine(asked, turn, scanner, settings, memory)
    matches = without_faint_companions(examined.analysis.matches)
    shown = digest_of_turn(examined, settings.judge.characters, redact=True)
    return Reading("found", problem, turn, matches, settings, shown)


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


def offsets_hold(reading: Reading, logged: Sequence[DecisionMatch]) -> bool:
    """Tell whether what was logged stands where the log says."""
    text = reading.turn.message
    return all(
        clean(text[one.offset : one.offset + one.length], one.length).startswith(one.evidence)
        for one in logged
    )


def answer_now(reading: Reading) -> str:
    """Return what would be sent back for a message by the present settings, "" for nothing."""
    stopping = blocking(reading.matches, reading.settings.thresholds)
    if not stopping:
        return ""
    decision = Decision(BLOCK, reading.matches, tuple(stopping))
    return reason_text(reading.turn.message, decision, interactive=True)


def read_match(match: Match, logged: Sequence[DecisionMatch]) -> ReadMatchView:
    """Return a match of the message, with its confidence in the log."""
    base, points = added_up(match)
    place = (match.kind, match.marker.id, match.offset)
    same = [one for one in logged if (one.kind, one.marker, one.offset) == place]
    verdict = match.verdict
    return viewed(
        ReadMatchView,
        match,
        marker=match.marker.id,
        length=len(match.evidence),
        logged_confidence=same[0].confidence if same else None,
        verdict=verdict.status if verdict else "",
        why=verdict.why if verdict else "",
        call_id=verdict.call_id if verdict else "",
        line=verdict.line if verdict else "",
        base=base,
        factors=[
            viewed(FactorView, one, points=part)
            for one, part in zip(match.factors, points, strict=True)
            if one.name != BASE
        ],
    )


def call_view(call: ToolCall) -> CallView:
    """Return a call with what it returned, both cut."""
    result = None if call.result is None else _cut(call.result)
    return viewed(CallView, call, input=_input(call.input), result=result)


def _input(given: Mapping[str, Any]) -> str:
    """Return the input of a call for a person: its command, or all of it as JSON."""
    command = given.get("command")
    return _cut(command if isinstance(command, str) else json.dumps(given, default=str))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_CALL else f"{text[:_LONGEST_CALL]}\n... cut"
