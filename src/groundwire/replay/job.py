"""What the replay of one transcript leaves behind: plain values that can go between processes."""

from __future__ import annotations

import ntpath
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import NoTranscriptError, TranscriptError
from groundwire.judge.wake import why_text
from groundwire.model import BLOCK
from groundwire.render.prose import quote
from groundwire.render.statements import statements_of
from groundwire.replay.lines import LINES
from groundwire.replay.run import Look, Outcome, replay_transcript, without_known
from groundwire.replay.tally import Tally
from groundwire.service.runtime import Runtime
from groundwire.state.project import project_of
from groundwire.state.second_look import NOTE, WAKE

_LONGEST_QUOTE = 200


class Wanted(NamedTuple):
    """What is asked of every transcript: turns from ``since`` on; lines, or so many examples.

    ``form`` is what the lines are written in, "" without any. ``named`` are files that must be
    transcripts; others that hold no session are passed over. ``known`` are the fingerprints of
    findings that do not count.
    """

    since: str = ""
    form: str = ""
    examples: int = 0
    named: frozenset[Path] = frozenset()
    known: frozenset[str] = frozenset()


class Statement(NamedTuple):
    """A statement that stops a turn: its quotation, its confidence, its marker, and why.

    Of a second look it has probability and kind in place of confidence and marker.
    """

    quote: str
    confidence: int
    marker: str
    why: str


class Blocked(NamedTuple):
    """A turn that would have been stopped, as a person is shown it.

    ``turn`` counts those of the transcript at ``path`` from 1, ``time`` is UTC; ``confidence`` is
    that of the worst statement. ``act`` is what a second look would have done: wake or note.
    """

    path: str
    repository: str
    session: str
    turn: int
    time: str
    prompt: str
    statements: tuple[Statement, ...]
    act: str = ""

    @property
    def confidence(self) -> int:
        """Return the highest confidence of the statements."""
        return max((one.confidence for one in self.statements), default=0)


class Replayed(NamedTuple):
    """The replay of one transcript; ``error`` says why it ended early, "" when it did not."""

    tally: Tally
    lines: list[str]
    blocked: list[Blocked]
    error: str = ""
    looked: Sequence[Blocked] = ()


def replay_one(path: Path, runtime: Runtime, wanted: Wanted, look: Look | None = None) -> Replayed:
    """Replay one transcript; one that cannot be read is an ``error``, and counted."""
    tally = Tally()
    tally.sessions = 1
    lines: list[str] = []
    blocked: list[Blocked] = []
    looked: list[Blocked] = []
    try:
        thresholds = runtime.settings.thresholds
        for one in replay_transcript(path, runtime, wanted.since, look):
            outcome = without_known(one, wanted.known, thresholds) if wanted.known else one
            tally.add(outcome)
            if wanted.form:
                lines += LINES[wanted.form](outcome)
            elif outcome.decision.action == BLOCK and len(blocked) < wanted.examples:
                blocked.append(_blocked_turn(outcome))
            if outcome.look.get("act") in (WAKE, NOTE):
                looked.append(_looked_turn(outcome))
    except TranscriptError as error:
        if isinstance(error, NoTranscriptError) and path not in wanted.named:
            tally.sessions = 0
            return Replayed(tally, lines, blocked)
        tally.unreadable = 1
        return Replayed(tally, lines, blocked, str(error), looked)
    return Replayed(tally, lines, blocked, "", looked)


def _last_name(folder: str) -> str:
    r"""Return the last name of a path, also of one of another system such as ``D:\shop``."""
    basename = ntpath.basename if folder[1:2] == ":" else os.path.basename
    return basename(folder.rstrip("/\\"))


def _looked_turn(outcome: Outcome) -> Blocked:
    turn = outcome.turn
    statements = tuple(
        Statement(
            quote(turn.message[one["offset"] : one["offset"] + one["length"]], _LONGEST_QUOTE),
            one["probability"],
            one["kind"],
            why_text(one["why"], one["missing"], one["call"]),
        )
        for one in outcome.look["statements"]
        if one["act"] in (WAKE, NOTE)
    )
    return _turn(outcome, statements, outcome.look["act"])


def _blocked_turn(outcome: Outcome) -> Blocked:
    turn = outcome.turn
    statements = tuple(
        Statement(quote, match.confidence, match.marker.id, why)
        for match, quote, why in statements_of(turn.message, outcome.decision)
    )
    return _turn(outcome, statements)


def _turn(outcome: Outcome, statements: tuple[Statement, ...], act: str = "") -> Blocked:
    turn = outcome.turn
    return Blocked(
        str(outcome.path),
        _last_name(turn.cwd) or project_of(str(outcome.path)),
        turn.session_id or outcome.path.stem,
        outcome.number,
        turn.timestamp,
        turn.prompt,
        statements,
        act,
    )
