"""Labelled messages with the turns that they ended, and what groundwire says about each unit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from groundwire.base.errors import TranscriptError
from groundwire.base.model import Analysis, Decision, Match, Turn
from groundwire.base.record import Record
from groundwire.base.settings import Settings
from groundwire.inputs.event import STOP, SUBAGENT_STOP, Event, read_event
from groundwire.inputs.turns import all_entries, split_turns
from groundwire.runs.past_stop import turns_until
from groundwire.runs.replay import is_agent_transcript
from groundwire.settings.runtime import Runtime
from groundwire.settings.toml_text import show_path
from groundwire.verdict.decision import Memory, Situation, decide
from groundwire.verdict.examine import examine, turn_of
from groundwire_lab.errors import LabelError
from groundwire_lab.labels import Message, json_lines, read_labels, refuse

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


Spot = tuple[int, int]  # where a sentence stands in its message


class Unit(Record):
    """One labelled sentence: its flag, and the highest of its matches (None without one).

    ``judged``: a rater looked at this unit by itself. ``matches`` are in the order of the text.
    """

    number: int
    flag: int
    judged: bool
    best: Match | None
    matches: tuple[Match, ...]

    @property
    def confidence(self) -> int:
        """The confidence (0-100) of the highest match, 0 without one."""
        return self.best.confidence if self.best else 0


class Prediction(Record):
    """The analysis of one sample, its decision, and its units that have a flag."""

    sample: Sample
    analysis: Analysis
    situation: Situation
    decision: Decision
    units: tuple[Unit, ...]


def predict(samples: Iterable[Sample], runtime: Runtime) -> list[Prediction]:
    """Analyse each sample as the first message of its session."""
    return [_predict(sample, runtime) for sample in samples]


def with_confidences(
    prediction: Prediction, confidences: Mapping[Spot, int], settings: Settings
) -> Prediction:
    """Return the prediction with other confidences for some sentences, decided anew."""
    analysis = prediction.analysis
    matches = tuple(
        match.replace(confidence=confidences.get(match.sentence, match.confidence))
        for match in analysis.matches
    )
    return decided(prediction.replace(analysis=analysis.replace(matches=matches)), settings)


def decided(prediction: Prediction, settings: Settings) -> Prediction:
    """Return the prediction with the decision that ``settings`` make of its matches."""
    matches = prediction.analysis.matches
    text, message = prediction.analysis.text, prediction.sample.message
    decision, _ = decide(text, matches, prediction.situation, settings, Memory())
    return prediction.replace(decision=decision, units=_units(message, matches))


def units_of(predictions: Iterable[Prediction]) -> list[Unit]:
    """Return all units that have a flag; disputed ones are left out."""
    return [unit for prediction in predictions for unit in prediction.units]


def highest(matches: Sequence[Match]) -> Match | None:
    """Return the match with the highest confidence above 0, the first one of several."""
    best = max(matches, key=lambda match: match.confidence, default=None)
    return best if best and best.confidence > 0 else None


def _predict(sample: Sample, runtime: Runtime) -> Prediction:
    examined = examine(sample.event, sample.turn, runtime.scanner, runtime.settings, Memory())
    analysis, situation = examined.analysis, examined.situation
    assert situation is not None
    units = _units(sample.message, analysis.matches)
    return Prediction(sample, analysis, situation, examined.decision, units)


def _units(message: Message, matches: Sequence[Match]) -> tuple[Unit, ...]:
    matches_by_unit: dict[int, list[Match]] = {}
    for match in matches:
        matches_by_unit.setdefault(message.unit_at(match.offset), []).append(match)
    units = []
    for number in range(1, len(message.units) + 1):
        flag = message.flag(number)
        if flag is not None:
            own = tuple(matches_by_unit.get(number, ()))
            units.append(Unit(number, flag, number in message.labels, highest(own), own))
    return tuple(units)
