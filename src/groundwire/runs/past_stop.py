"""A stop of the past: its line of the decision log, and its turn read again as the hook saw it.

A second look that woke the model or told the user something is found and read again as a stop is.

A message that was sent back is not the last one of its turn: the model answered again. So the
transcript is read up to that message, and earlier stops of the same prompt are decided before it,
because what was sent back for them counts against words that say the same.
"""

from __future__ import annotations

import os

from groundwire.base.errors import TranscriptError, UsageError
from groundwire.base.model import BLOCK, REPORT
from groundwire.base.paths import cache_folder, state_folder
from groundwire.base.record import Record
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import Settings
from groundwire.hook.compiled import Compiled
from groundwire.hook.compiled_file import read_compiled
from groundwire.hook.log_lines import read_log
from groundwire.hook.memory import read_memory
from groundwire.hook.second_look_state import NOTE, WAKE, looked
from groundwire.hook.session import with_session
from groundwire.inputs.event import STOP, SUBAGENT_STOP, Event
from groundwire.inputs.transcript import is_conversation, message_of
from groundwire.inputs.turns import all_entries, split_turns
from groundwire.language.automaton import Scanner
from groundwire.settings.compile import compile_settings
from groundwire.turn.session import Digest
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import Examined, examine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from groundwire.base.model import Turn

LAST = "last"


class Stop(Record):
    """The log's line of one stop, and those of the stops of the same prompt before it.

    A turn that only its mode kept from being stopped is one, too.
    """

    line: dict[str, Any]
    earlier: tuple[dict[str, Any], ...] = ()

    @property
    def session(self) -> str:
        """The name under which the session is remembered."""
        return str(self.line["session"] or self.line["transcript"])

    @property
    def transcript(self) -> str:
        """The path of the transcript of the turn."""
        return str(self.line["transcript"])

    @property
    def look(self) -> dict[str, Any]:
        """What a second look said; {} for a stop."""
        return looked(self.line)

    @property
    def is_agents(self) -> bool:
        """Whether it is the turn of a sub-agent."""
        return bool(self.line["event"] == SUBAGENT_STOP)


class Again(Record):
    """The turn of a stop as it looks now.

    ``examined`` and ``turn`` are None when it cannot be read; ``notes`` say why, or what is
    different from the log. ``folder`` is the one whose settings hold, "" when it is not known.
    """

    settings: Settings
    folder: str
    examined: Examined | None = None
    turn: Turn | None = None
    notes: tuple[str, ...] = ()


def find_stop(env: Mapping[str, str], which: str = LAST, *, looks: bool = False) -> Stop:
    """Return the last stop, or that of the session whose id begins with ``which``.

    With ``looks`` also a second look that woke the model or told the user, if it came last.
    Raises UsageError when there is none.
    """
    folder = state_folder(env)
    log = read_log(folder or "")
    lines = [line for line in log if _is_stop(line) or (looks and _is_told(line))] if folder else []
    stops = [line for line in lines if which == LAST or str(line.get("session")).startswith(which)]
    if not stops:
        of = "" if which == LAST else f" of a session {which}"
        problems = "".join(f"; {problem}" for problem in log.problems)
        raise UsageError(f"no stop{of} in the decision log in {folder}{problems}")
    last = stops[-1]
    earlier_lines = lines[: lines.index(last)]
    names = ("session", "prompt_id", "agent_id")
    return Stop(
        last,
        tuple(
            line
            for line in earlier_lines
            if line["decision"] == BLOCK and all(line.get(one) == last.get(one) for one in names)
        ),
    )


def read_again(stop: Stop, env: Mapping[str, str]) -> Again:
    """Read the turn of ``stop`` from its transcript, and decide it by its session's settings."""
    env = with_session(env, stop.session)
    agent, wanted = stop.is_agents, str(stop.line["message_id"])
    try:
        turns = turns_until(stop.transcript, wanted, agent)
    except TranscriptError as error:
        gone = f"the transcript is gone: {error}"
        turns, problem = [], gone if stop.transcript else "the host named no transcript"
    else:
        problem = f"{stop.transcript}: the message of that stop is not in the transcript"
    turn = turns[-1] if turns else None
    folder = env.get("CLAUDE_PROJECT_DIR") or (turn.cwd if turn else "")
    compiled, notes = _settings(stop, env, folder)
    past = Again(compiled.settings, folder, notes=notes)
    if turn is None:
        return past.replace(notes=(*notes, problem))
    scanner = Scanner(compiled.rules or shipped_rules())
    memory = Memory(digest=Digest())

    def decide(line: Mapping[str, Any], turn: Turn) -> Examined:
        event = Event(
            STOP if looked(line) else line["event"],
            line["session"],
            line["prompt_id"],
            line["agent_id"],
            line["agent_type"],
            turn.message,
            cwd=turn.cwd,
            stop_hook_active=bool(memory.blocks),
        )
        return examine(event, turn, scanner, compiled.settings, memory)

    for earlier_turn in turns[:-1]:
        memory = Memory(digest=decide(stop.line, earlier_turn.replace(message="")).memory.digest)
    for line in stop.earlier:
        for earlier_turn in turns_until(stop.transcript, str(line["message_id"]), agent)[-1:]:
            memory = decide(line, earlier_turn).memory
    examined = decide(stop.line, turn)
    return past.replace(
        examined=examined, turn=turn, notes=(*notes, *_differences(stop.line, examined))
    )


def turns_until(path: str, message_id: str, agent: bool) -> list[Turn]:
    """Return the turns of a transcript up to a message, which ends the last one of them.

    Empty when the message is not there. Raises TranscriptError.
    """
    entries = entries_until(path, message_id, agent)
    turns = list(split_turns(entries, agent=agent, unfinished=True))
    return turns if message_id and turns and turns[-1].message_id == message_id else []


def entries_until(path: str, message_id: str, agent: bool) -> Iterator[dict[str, Any]]:
    """Yield the lines of a transcript up to the last one of the message with this id."""
    found = False
    for entry in all_entries(path):
        own = message_of(entry).get("id") or entry.get("uuid")
        is_message = entry.get("type") == "assistant" and own == message_id
        if found and not is_message and is_conversation(entry, agent):
            return
        found = found or is_message
        yield entry


def _is_stop(line: Mapping[str, Any]) -> bool:
    return line.get("decision") == BLOCK or (line.get("decision") == REPORT and bool(line["why"]))


def _is_told(line: Mapping[str, Any]) -> bool:
    return looked(line).get("act") in (WAKE, NOTE)


def _settings(stop: Stop, env: Mapping[str, str], folder: str) -> tuple[Compiled, tuple[str, ...]]:
    """Return the settings that the session has, and a note when they are not known any more."""
    memory = read_memory(state_folder(env) or "", stop.session)
    if memory.settings_key == "":
        return Compiled(), ()
    stored = memory.settings_key and read_compiled(
        cache_folder(env) or "", memory.settings_key, stale=True
    )
    if stored:
        return stored, ()
    _, present = compile_settings(env, folder or os.getcwd())
    note = "the settings of that session are not kept any more; those of now are used"
    return present, (note, *filter(None, (present.error,)))


def _differences(line: Mapping[str, Any], examined: Examined) -> Iterator[str]:
    """Say where the turn looks different from what the log has: something changed since."""
    text = examined.analysis.text
    now = {(one.marker.id, one.offset): one.confidence for one in examined.analysis.matches}
    for logged in line["matches"]:
        start = logged["offset"]
        confidence = now.get((logged["marker"], start))
        if confidence != logged["confidence"]:
            words = text[start : start + logged["length"]] or logged["evidence"]
            present = "is no finding" if confidence is None else f"has {confidence}"
            yield (
                f'settings or groundwire changed since: "{words}" had {logged["confidence"]}, '
                f"and {present} now ({logged['marker']})"
            )
