"""Decisions of the hook, and their messages."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from groundwire_admin.service.views.view import View


class MatchView(View):
    """One match of a decision."""

    kind: str
    marker: str
    offset: int
    length: int
    evidence: str
    confidence: int
    verdict: str
    call_id: str


class DecisionView(View):
    """One decision of the hook; ``vote`` is that of the person who asks: 1, -1 or null."""

    id: str
    at: datetime
    decision: str
    event: str
    session: str
    agent_type: str
    project: str
    why: str
    found: int
    blocking: int
    milliseconds: float
    error: str
    matches: list[MatchView]
    vote: int | None


class DecisionPage(View):
    """Decisions, the newest first. ``following`` continues the list; null at its end."""

    decisions: list[DecisionView]
    total: int
    following: str | None


class FactorView(View):
    """One factor of a confidence: ``points`` is what is lost without it."""

    name: str
    weight: float
    value: float
    points: int


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
    call_id: str
    line: str
    context: str
    factors: list[FactorView]


TextState = Literal["found", "transcript_gone", "message_gone", "unreadable", "unknown"]


class DecisionDetail(View):
    """A decision with its message, read from the transcript now.

    ``text_state``: found; transcript_gone: the file is not there any more; message_gone: the file
    does not hold the message; unreadable: the file cannot be read, ``problem`` says why; unknown:
    the log names no transcript or message. Only with found are ``text``, ``read_matches`` and
    ``calls`` filled; ``text`` may still be that of a message with other offsets when the transcript
    was changed, which ``offsets_hold`` tells.
    """

    decision: DecisionView
    version: str
    prompt_id: str
    agent_id: str
    message_id: str
    transcript: str
    suppressed: int
    notes: list[str]
    text_state: TextState
    problem: str
    text: str
    offsets_hold: bool
    read_matches: list[ReadMatchView]
    calls: list[CallView]


class IntakeView(View):
    """What was taken in from the decision log."""

    added: int
    skipped: int = Field(description="Lines that are no records.")
    problems: list[str]
