"""Labelled messages together with the turns that they ended."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from groundwire.calibrate.errors import LabelError
from groundwire.calibrate.labels import Message
from groundwire.calibrate.read_labels import json_lines, read_labels, refuse
from groundwire.config.words import show_path
from groundwire.errors import TranscriptError
from groundwire.event import STOP, SUBAGENT_STOP, Event, read_event
from groundwire.model import Turn
from groundwire.record import Record
from groundwire.replay.sources import is_agent_transcript
from groundwire.service.examine import turn_of
from groundwire.service.past_stop import turns_until
from groundwire.transcript.session import all_entries, split_turns

#: Hook inputs are looked for beside the labels under this name.
EVENTS_NAME = "events.jsonl"
#: The labels of a folder.
LABELS_NAME = "gold.jsonl"
_AGENT_TYPE = "subagent"  # a transcript does not name the type


class Sample(Record):
    """One labelled message with the hook input and the turn behind it."""

    message: Message
    event: Event
    turn: Turn


def read_sets(places: Sequence[Path]) -> list[Sample]:
    """Read several labelled sets: label files, or folders with ``gold.jsonl``.

    Raises LabelError, also when there is nothing to measure or an id stands in two sets.
    """
    samples: dict[str, Sample] = {}
    for place in places:
        labels = place / LABELS_NAME if place.is_dir() else place
        for sample in read_samples(labels):
            name = sample.message.id
            if name in samples:
                raise LabelError(f"{show_path(str(labels))}: id {name!r} stands in two sets")
            samples[name] = sample
    if not samples:
        shown = ", ".join(show_path(str(place)) for place in places)
        raise LabelError(f"{shown}: no labelled messages")
    return list(samples.values())


def read_samples(labels: Path) -> list[Sample]:
    """Read labelled messages and find the turn of each.

    It comes from the hook input with the message's id as ``session_id`` in ``events.jsonl`` beside
    ``labels``, if there is one, its transcript path being relative to that file; else from the
    transcript that the message itself names; else it is bare text.
    A label that was kept without the text is passed over, and named on stderr, once its transcript
    is gone. Raises LabelError and TranscriptError.
    """
    messages = list(_with_texts(read_labels(labels)))
    path = labels.with_name(EVENTS_NAME)
    by_id = _events(path) if path.is_file() else {}
    named = _named_samples([message for message in messages if message.id not in by_id])
    problems: list[str] = []
    samples = []
    for message in messages:
        event = by_id.get(message.id)
        if event:
            event = event.replace(message=event.message or message.text)
            sample = Sample(message, event, turn_of(event))
        elif message.id in named:
            sample = named[message.id]
        elif by_id or message.transcript:
            where = show_path(message.transcript or str(path))
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
        yield number, _event_of(turn, agent), turn


def _event_of(turn: Turn, agent: bool) -> Event:
    return Event(
        SUBAGENT_STOP if agent else STOP,
        turn.session_id,
        agent_type=_AGENT_TYPE if agent else "",
        message=turn.message,
        cwd=turn.cwd,
    )


def _with_texts(messages: Iterable[Message]) -> Iterator[Message]:
    for message in messages:
        if message.text or not message.stop:
            yield message
        elif (text := _stopped_turn(message).message) and message.units[-1][1] <= len(text):
            yield message.replace(text=text)
        else:
            reason = f"{show_path(message.transcript)}: gone, and the label was kept without text"
            print(f"groundwire: {reason}: left out", file=sys.stderr)  # noqa: T201


def _stopped_turn(message: Message) -> Turn:
    """Return the turn of a message that was sent back, an empty one when it is gone."""
    agent = is_agent_transcript(Path(message.transcript))
    try:
        turns = turns_until(message.transcript, message.stop, agent)
    except TranscriptError:
        return Turn()
    return turns[-1] if turns else Turn()


def _events(path: Path) -> dict[str, Event]:
    problems: list[str] = []
    events: dict[str, Event] = {}
    for number, raw in json_lines(path, problems):
        event = read_event(raw)
        if not event.session_id:
            problems.append(f"{show_path(str(path))}:{number}: session_id: missing")
        if event.transcript_path:
            transcript = os.path.join(path.parent, event.transcript_path)
            event = event.replace(transcript_path=transcript)
        events[event.session_id] = event
    refuse(problems)
    return events


def _named_samples(messages: Sequence[Message]) -> dict[str, Sample]:
    """Read the named turns, each transcript once."""
    wanted: dict[str, dict[int, list[Message]]] = {}
    samples = {}
    for message in messages:
        if message.stop:
            turn, agent = _stopped_turn(message), is_agent_transcript(Path(message.transcript))
            samples[message.id] = Sample(message, _event_of(turn, agent), turn)
        elif message.transcript:
            wanted.setdefault(message.transcript, {}).setdefault(message.turn, []).append(message)
    for transcript, turns in wanted.items():
        for number, event, turn in turns_of(Path(transcript)):
            for message in turns.get(number, ()):
                samples[message.id] = Sample(message, event, turn)
    return samples
