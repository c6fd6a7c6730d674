"""What there is to label, and the answers of a rater, kept after each one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.base.digest import digest
from groundwire.base.model import Match, Turn
from groundwire.base.record import Record
from groundwire.language.fold import fold, sentence_spans
from groundwire.language.markdown import mask
from groundwire.settings.runtime import Runtime
from groundwire.settings.toml_text import show_path
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire_lab.errors import LabelError
from groundwire_lab.labels import NO_KIND, Label, Message, read_labels, write_labels
from groundwire_lab.samples import highest, turns_of

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


#: What an answer says: flagged, not flagged, disputed.
FLAGS = {"y": 1, "n": 0, "?": None}


class Book:
    """The label file: messages by id, in the order of the file."""

    def __init__(self, path: Path) -> None:
        """Read what is there; raises LabelError."""
        self.path = path
        messages = read_labels(path) if path.exists() else []
        self.messages = {message.id: message for message in messages}
        # a set that was not made by replay has judged every sentence; no label there means 0
        self._judged = {message.text for message in messages if not message.transcript}

    def is_done(self, item: Item) -> bool:
        """Tell whether nothing is to be asked: answered or skipped."""
        if item.message.text in self._judged:
            return True
        message = self.messages.get(item.message.id)
        if message is None:
            return False
        label = message.labels.get(item.unit)
        return label is not None and not label.open

    def put(self, name: str, message: Message | None) -> None:
        """Set or remove one message and write the file; raises LabelError."""
        if message is None:
            self.messages.pop(name, None)
        else:
            self.messages[name] = message
        try:
            write_labels(self.path, self.messages.values())
        except OSError as error:
            shown = show_path(str(self.path))
            raise LabelError(f"{shown}: {error.strerror}; expected a writable file") from None


class Session:
    """One sitting of a rater: the items still open, in order, and the way back."""

    def __init__(self, book: Book, items: Sequence[Item]) -> None:
        self.book = book
        self.items = [item for item in items if not book.is_done(item)]
        self.at = 0
        self._steps: list[tuple[int, Message | None]] = []  # where it was, the message before

    @property
    def item(self) -> Item | None:
        """The item that is asked now; None at the end."""
        return self.items[self.at] if self.at < len(self.items) else None

    def answer(self, key: str) -> None:
        """Keep an answer (a key of ``FLAGS``) to the item and go on."""
        item = self.items[self.at]
        flag = FLAGS[key]
        kind = NO_KIND if flag == 0 else item.best.kind
        sure = int(flag is not None)
        self._keep({item.unit: Label(flag, kind, more={"sure": sure})}, self.at + 1)

    def skip(self) -> None:
        """Pass over what is left of the item's message."""
        message = self.items[self.at].message.id
        end = self.at
        while end < len(self.items) and self.items[end].message.id == message:
            end += 1
        skipped = Label(None, skipped=True)
        self._keep({item.unit: skipped for item in self.items[self.at : end]}, end)

    def undo(self) -> bool:
        """Take the last step of this sitting back; False when there is none."""
        if not self._steps:
            return False
        self.at, before = self._steps.pop()
        self.book.put(self.items[self.at].message.id, before)
        return True

    def _keep(self, labels: dict[int, Label], following: int) -> None:
        fresh = self.items[self.at].message
        before = self.book.messages.get(fresh.id)
        message = before or fresh
        # sentences that got a match since the file was written are open, not unflagged
        merged = {**fresh.labels, **message.labels, **labels}
        self.book.put(fresh.id, message.replace(labels=merged))
        self._steps.append((self.at, before))
        self.at = following
