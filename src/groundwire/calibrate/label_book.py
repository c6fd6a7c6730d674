"""Answers of a rater: kept after each one, taken back, and taken up again later."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundwire.calibrate.errors import LabelError
from groundwire.calibrate.label_items import Item
from groundwire.calibrate.labels import NO_KIND, Label, Message, write_labels
from groundwire.calibrate.read_labels import read_labels
from groundwire.config.words import show_path

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
