"""What there is to label in replayed transcripts: the sentences that have a match."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.calibrate.labels import Label, Message
from groundwire.calibrate.predict import highest
from groundwire.calibrate.samples import turns_of
from groundwire.decision import Memory
from groundwire.digest import digest
from groundwire.model import Match, Turn
from groundwire.record import Record
from groundwire.service.examine import examine
from groundwire.service.runtime import Runtime
from groundwire.text.fold import fold
from groundwire.text.mask import mask
from groundwire.text.segment import sentence_spans

_ID_LENGTH = 12
#: Confidences at which the groups of a sample begin.
_BANDS = (0, 30, 50, 70, 90)


class Item(Record):
    """One sentence to label. ``message`` has an open label for each of its sentences with a match.

    ``best`` is the highest of ``matches``, which are in the order of the text.
    """

    message: Message
    unit: int  # number of the sentence, from 1
    best: Match
    matches: tuple[Match, ...]
    prompt: str


def items_of(path: Path, runtime: Runtime, threshold: int = 0) -> list[Item]:
    """Return the sentences of a transcript whose highest match reaches ``threshold``.

    Every turn is analysed as the first of its session, as in a replay. Raises TranscriptError.
    """
    items = []
    for number, event, turn in turns_of(path):
        examined = examine(event, turn, runtime.scanner, runtime.settings, Memory())
        message = message_of_turn(path, number, turn)
        message, matches_by_unit = with_open_labels(message, examined.analysis.matches)
        for unit, matches in sorted(matches_by_unit.items()):
            best = highest(matches)
            if best and best.confidence >= threshold:
                items.append(Item(message, unit, best, tuple(matches), turn.prompt))
    return items


def with_open_labels(
    message: Message, matches: Iterable[Match]
) -> tuple[Message, dict[int, list[Match]]]:
    """Return a message with an open label for each sentence with a match, and these matches."""
    matches_by_unit: dict[int, list[Match]] = {}
    for match in matches:
        matches_by_unit.setdefault(message.unit_at(match.offset), []).append(match)
    matches_by_unit.pop(0, None)
    labels = {unit: Label(None, open=True) for unit in sorted(matches_by_unit)}
    return message.replace(labels=labels), matches_by_unit


def spread(items: Sequence[Item], count: int, seed: int) -> list[Item]:
    """Return ``count`` of the items in their order, spread over kinds and confidences.

    Every group of one kind and one band of confidences gives one item in turn, as long as it has
    any. The same items and seed give the same sample.
    """
    groups: dict[tuple[str, int], list[int]] = {}
    for number, item in enumerate(items):
        band = sum(item.best.confidence >= low for low in _BANDS)
        groups.setdefault((item.best.kind, band), []).append(number)
    chance = random.Random(seed)  # noqa: S311 - no secret
    piles = [groups[key] for key in sorted(groups)]
    for pile in piles:
        chance.shuffle(pile)
    rounds = max(map(len, piles), default=0)
    drawn = [pile[turn] for turn in range(rounds) for pile in piles if turn < len(pile)]
    return [items[number] for number in sorted(drawn[:count])]


def distinct(items: Iterable[Item]) -> list[Item]:
    """Return each sentence once: a resumed session begins with a copy of the one before."""
    return list({(item.message.id, item.unit): item for item in items}.values())


def message_of_turn(path: Path, number: int, turn: Turn) -> Message:
    """Return the turn's message without labels."""
    folded = fold(turn.message, mask(turn.message))
    units = tuple(folded.span(start, end) for start, end in sentence_spans(folded))
    name = f"{turn.session_id}\n{turn.message_id or number}\n{turn.message}"
    return Message(
        digest(name.encode("utf-8", "replace"))[:_ID_LENGTH],
        turn.message,
        units,
        {},
        turn.cwd.rstrip("/\\").replace("\\", "/").rpartition("/")[2],
        turn.session_id or path.stem,
        str(path.resolve()),
        number,
    )
