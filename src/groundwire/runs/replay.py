"""Past sessions read again: which transcripts, the outcome of each turn, and their counts."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.base.errors import NoTranscriptError, TranscriptError
from groundwire.base.model import BLOCK, KINDS, PASS, Decision, Turn
from groundwire.base.record import Record
from groundwire.base.settings import Thresholds
from groundwire.inputs.event import STOP, SUBAGENT_STOP, Event
from groundwire.inputs.hosts.read import all_entries as host_entries
from groundwire.inputs.hosts.read import host_of
from groundwire.inputs.turns import all_entries, split_turns
from groundwire.language.detect import unchecked
from groundwire.report.reason import reason_text
from groundwire.runs.baseline import new_decision
from groundwire.settings.runtime import Runtime
from groundwire.turn.session import Digest
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import Examined, examine

_HEAD, _SPAWNED = 2**16, b'"thread_source":"subagent"'
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def find_transcripts(paths: Iterable[str]) -> list[Path]:
    """Return all transcripts below ``paths``, each once, in a stable order.

    A folder stands for all ``*.jsonl`` below it. Raises TranscriptError for a path that matches
    nothing.
    """
    transcripts: dict[Path, None] = {}
    for path in paths:
        files = list(_expand(path))
        if not files:
            raise TranscriptError(f"{path}: no transcript there; expected *.jsonl files")
        transcripts.update(dict.fromkeys(files))
    return list(transcripts)


def _expand(path: str) -> Iterator[Path]:
    path = os.path.expanduser(path)
    matches = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    for match in matches:
        if os.path.isdir(match):
            # what is no file either, such as a dead link, is named when it is read
            yield from sorted(file for file in Path(match).rglob("*.jsonl") if not file.is_dir())
        else:
            yield Path(match)


def is_agent_transcript(path: Path) -> bool:
    """Tell whether a transcript is a sub-agent's own, by its place, or by its head in Codex.

    Gemini CLI puts it in a folder beside the session of its caller: ``chats/SESSION/ID.jsonl``.
    """
    folder = "subagents" in path.parts or path.parent.parent.name == "chats"
    if folder or path.name.startswith("agent-") or not path.is_file():
        return folder or path.name.startswith("agent-")
    try:
        with path.open("rb") as file:
            return _SPAWNED in file.read(_HEAD).partition(b"\n")[0].replace(b": ", b":")
    except OSError:
        return False


def parse_since(text: str, now: datetime) -> str:
    """Return the ISO timestamp from which turns count.

    ``text`` is a date (2026-11-01), a timestamp, or an age: 90m, 12h, 7d, 2w. A time without a
    zone is UTC, as in transcripts. Raises TranscriptError for anything else.
    """
    try:
        moment = _moment(text, now)
    except (ValueError, OverflowError):
        raise TranscriptError(
            f"--since: {text!r}: allowed: a date such as 2026-11-01, or an age such as 7d"
        ) from None
    return moment.isoformat(timespec="seconds").removesuffix("+00:00")


def _moment(text: str, now: datetime) -> datetime:
    number, unit = text[:-1], text[-1:]
    if number.isdecimal() and unit in _UNITS:
        return now - timedelta(**{_UNITS[unit]: int(number)})
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


#: Returns what the log would have of a second look at a turn, by it and those before.
Look = Callable[[Turn, Examined, Sequence[Turn]], dict[str, Any]]
_AGENT_TYPE = "subagent"  # a transcript does not name the type


class Outcome(Record):
    """What the hook would have decided at the end of one turn.

    ``not_checked`` names the language of a message for which there are no markers, ``look`` is
    what the decision log would have of a second look, {} without one.
    """

    path: Path
    number: int  # of the turn in its transcript, from 1
    turn: Turn
    decision: Decision
    reason: str = ""
    not_checked: str = ""
    look: Mapping[str, Any] = {}


def replay_transcript(
    path: Path, runtime: Runtime, since: str = "", look: Look | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of every turn that ended with a message, from ``since`` on.

    Nothing is kept: each turn is judged as if nothing had been sent back in its session. What the
    tools of its earlier turns did is known, as it is to the hook, also that of turns before
    ``since`` and of those that were interrupted. ``look`` may look at a turn once more. Raises
    TranscriptError when the file cannot be read, or holds no line of a session.
    """
    number = 0
    before: list[Turn] = []
    for turn, examined in turns_examined(path, runtime, since):
        number += bool(turn.message)
        if turn.message and turn.timestamp >= since:
            decision, reason = examined.decision, ""
            if decision.action == BLOCK:
                reason = reason_text(turn.message, decision, interactive=True)
            language = unchecked(examined.analysis.language)
            again = look(turn, examined, before) if look else {}
            yield Outcome(path, number, turn, decision, reason, language, again)
        if look:
            before.append(turn)


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
    """Yield every turn of a transcript, one without a message and one before ``since`` among them.

    Raises TranscriptError, as ``replay_transcript`` does.
    """
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


_MOST_MARKERS = 15


class Tally:
    """Running totals of a replay; holds counts only, so memory does not grow with sessions.

    ``counts`` are those of ``("action", "block")``, ``("look", "wake")``, ``("not checked",
    language)`` and, for matches, ``("kind", kind)`` and ``("marker", id)``; with ``stopped`` before
    the sort those of the matches that stand in stopped turns, as the statistics count them.
    """

    def __init__(self, sessions: int = 0) -> None:
        self.sessions, self.unreadable = sessions, 0
        self.counts: Counter[tuple[str, str]] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        action = outcome.decision.action
        self.counts["action", action] += 1
        if outcome.look:
            self.counts["look", outcome.look["act"]] += 1
        if outcome.not_checked and action == PASS:
            self.counts["not checked", outcome.not_checked] += 1
        for match in outcome.decision.matches:
            for sort, name in (("kind", match.kind), ("marker", match.marker.id)):
                self.counts[sort, name] += 1
                self.counts[f"stopped {sort}", name] += action == BLOCK

    def merge(self, other: Tally) -> None:
        """Add the counts of ``other``."""
        self.sessions += other.sessions
        self.unreadable += other.unreadable
        self.counts.update(other.counts)

    def of(self, sort: str) -> Counter[str]:
        """Return the counts of one sort by name."""
        return Counter({name: count for (its, name), count in self.counts.items() if its == sort})

    def rows(self, sort: str) -> list[tuple[str, int, int]]:
        """Return kinds, or the most frequent markers, with their matches and the stopped ones."""
        counts = self.of(sort)
        ranked = [name for name, _ in counts.most_common(_MOST_MARKERS)]
        names = [one for one in KINDS if counts[one]] if sort == "kind" else ranked
        return [(one, counts[one], self.counts[f"stopped {sort}", one]) for one in names]

    @property
    def turns(self) -> int:
        """All turns."""
        return self.of("action").total()

    @property
    def blocked(self) -> int:
        """Turns that would have been stopped."""
        return self.counts["action", BLOCK]


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
