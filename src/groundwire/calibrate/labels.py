"""Labelled messages: one JSON object a line, with the sentences of a message and their labels.

``units`` are code point ranges of the message's sentences; ``labels`` has an entry for a unit by
its number from 1: ``flag`` 1 when a fair reviewer would challenge it, 0 when not, null when that is
disputed or not known. A unit without an entry counts as 0.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from groundwire.record import Record

NO_KIND = "none"


class Label(Record):
    """What is known of one unit. ``open``: not asked yet; ``skipped``: passed over by the rater.

    ``more`` holds further keys, kept as they are.
    """

    flag: int | None
    kind: str = NO_KIND
    open: bool = False
    skipped: bool = False
    more: dict[str, Any] = {}  # noqa: RUF012 - records are immutable

    @property
    def answered(self) -> bool:
        """A rater has decided, be it for "disputed"."""
        return not (self.open or self.skipped)

    def fields(self) -> dict[str, Any]:
        """Return the label as plain data for JSON."""
        states = {name: True for name in ("open", "skipped") if getattr(self, name)}
        return {"flag": self.flag, "kind": self.kind, **self.more, **states}


class Message(Record):
    """One labelled message; ``labels`` by unit number from 1.

    ``transcript`` and ``turn`` (from 1) say where it was read; without them an event has to. A
    message that was sent back is no turn's last one: ``stop`` is its id in the transcript, from
    which its ``text`` is read where that was not kept ("").
    """

    id: str
    text: str
    units: tuple[tuple[int, int], ...]
    labels: dict[int, Label]
    repo: str = ""
    session: str = ""
    transcript: str = ""
    turn: int = 0
    stop: str = ""
    more: dict[str, Any] = {}  # noqa: RUF012 - records are immutable

    def flag(self, unit: int) -> int | None:
        """Return the flag of a unit (from 1): 1, 0, or None when it is left out of all figures."""
        label = self.labels.get(unit)
        return label.flag if label else 0

    def unit_at(self, offset: int) -> int:
        """Return the number (from 1) of the unit that holds ``offset``, 0 when there is none."""
        for number, (start, end) in enumerate(self.units, 1):
            if start <= offset < end:
                return number
        return 0

    def fields(self) -> dict[str, Any]:
        """Return the message as plain data for JSON."""
        source: dict[str, Any] = (
            {"transcript": self.transcript, "turn": self.turn} if self.transcript else {}
        )
        source |= {"stop": self.stop} if self.stop else {}
        return {
            "id": self.id,
            "repo": self.repo,
            "session": self.session,
            **source,
            **self.more,
            "text": self.text,
            "units": [list(unit) for unit in self.units],
            "labels": {str(unit): self.labels[unit].fields() for unit in sorted(self.labels)},
        }


def write_labels(path: Path, messages: Iterable[Message]) -> None:
    """Replace the file at ``path``, or leave it as it was; raises OSError."""
    lines = [json.dumps(message.fields()) + "\n" for message in messages]
    target = path.resolve()  # a link stays a link
    descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
