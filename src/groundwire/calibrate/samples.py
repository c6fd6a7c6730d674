"""Labelled messages together with the turns that they ended."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from groundwire.calibrate.errors import LabelError
from groundwire.calibrate.labels import Message
from groundwire.calibrate.read_labels import json_lines, read_labels, refuse
from groundwire.config.words import show_path
from groundwire.event import STOP, SUBAGENT_STOP, Event, read_event
from groundwire.model import Turn
from groundwire.record import Record
from groundwire.replay.sources import is_agent_transcript
from groundwire.service.examine import turn_of
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import split_turns

#: Hook inputs are looked for beside the labels under this name.
EVENTS_NAME = "events.jsonl"
_AGENT_TYPE = "subagent"  # a transcript does not name the type


class Sample(Record):
    """One labelled message with the hook input and the turn behind it."""

    message: Message
    event: Event
    turn: Turn


def read_samples(labels: Path, events: Path | None = None) -> list[Sample]:
    """Read labelled messages and find the turn of each.

    It comes from the hook input with the message's id as ``session_id`` in ``events`` (without it,
    in ``events.jsonl`` beside ``labels``, if there is one), its transcript path being relative to
    that file; else from the transcript that the message itself names; else it is bare text.
    Raises LabelError and TranscriptError.
    """
    messages = read_labels(labels)
    beside = labels.with_name(EVENTS_NAME)
    path = events or (beside if beside.is_file() else None)
    by_id = _events(path) if path else {}
    named = _turns([message for message in messages if message.id not in by_id])
    problems: list[str] = []
    samples = []
    for message in messages:
        event = by_id.get(message.id)
        if event:
            event = event.replace(message=event.message or message.text)
            sample = Sample(message, event, turn_of(event))
        elif message.id in named:
            sample = named[message.id]
        elif path or message.transcript:
            where = show_path(str(path or message.transcript))
            problems.append(f"{where}: no event or turn for the message with id {message.id!r}")
            continue
        else:
            sample = Sample(message, Event(STOP, message.id, message=message.text), Turn())
        if sample.event.message != message.text:
            where = f"{show_path(str(labels))}: text of {message.id!r}"
            problems.append(f"{where}: is not the final message of its turn")
        samples.append(sample)
    refuse(problems)
    return samples


def turns_of(path: Path) -> Iterator[tuple[int, Event, Turn]]:
    """Yield number (from 1), hook input and turn for each turn of a transcript.

    Raises TranscriptError when the file cannot be read.
    """
    agent = is_agent_transcript(path)
    for number, turn in enumerate(split_turns(all_entries(str(path)), agent=agent), 1):
        event = Event(
            SUBAGENT_STOP if agent else STOP,
            turn.session_id,
            agent_type=_AGENT_TYPE if agent else "",
            message=turn.message,
            cwd=turn.cwd,
        )
        yield number, event, turn


def _events(path: Path) -> dict[str, Event]:
    problems: list[str] = []
    found: dict[str, Event] = {}
    for number, raw in json_lines(path, problems):
        event = read_event(raw)
        if not event.session_id:
            problems.append(f"{show_path(str(path))}:{number}: session_id: missing")
        if event.transcript_path:
            transcript = os.path.join(path.parent, event.transcript_path)
            event = event.replace(transcript_path=transcript)
        found[event.session_id] = event
    refuse(problems)
    return found


def _turns(messages: Sequence[Message]) -> dict[str, Sample]:
    """Read the named turns, each transcript once."""
    wanted: dict[str, dict[int, list[Message]]] = {}
    for message in messages:
        if message.transcript:
            wanted.setdefault(message.transcript, {}).setdefault(message.turn, []).append(message)
    found = {}
    for transcript, turns in wanted.items():
        for number, event, turn in turns_of(Path(transcript)):
            for message in turns.get(number, ()):
                found[message.id] = Sample(message, event, turn)
    return found


def without_tools(sample: Sample) -> Sample:
    """Return the sample as if there were no transcript, so that only its words speak."""
    return sample.replace(turn=Turn(message=sample.turn.message))


def require(samples: Sequence[Sample], source: Path) -> None:
    """Raise LabelError when there is nothing to measure."""
    if not samples:
        raise LabelError(f"{show_path(str(source))}: no labelled messages of the wanted part")
