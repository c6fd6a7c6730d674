"""Labelled messages, one JSON object a line; reading and checking them.

``units`` are code point ranges of the message's sentences; ``labels`` has an entry for a unit by
its number from 1: ``flag`` 1 when a fair reviewer would challenge it, 0 when not, null when that is
disputed or not known. A unit without an entry counts as 0.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from groundwire.base.model import KINDS, VERDICTS
from groundwire.base.record import Record
from groundwire.settings.toml_text import show_path, show_value
from groundwire_lab.errors import LabelError

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


_MOST_PROBLEMS = 20
_LABEL_KEYS = ("flag", "kind", "open", "skipped")
_MESSAGE_KEYS = "id text units labels repo session transcript turn stop".split()
_LABEL_KINDS = (NO_KIND, *KINDS)
Complain = Callable[[str, str], None]  # key, what is wrong with it


def read_labels(path: Path) -> list[Message]:
    """Read the labelled messages of a file, in its order.

    Raises LabelError with one ``file:line: key: value: what is allowed`` line per problem.
    """
    problems: list[str] = []
    messages: list[Message] = []
    lines: dict[str, int] = {}
    for number, raw in json_lines(path, problems):
        shown = show_path(str(path))

        def complain(key: str, text: str, number: int = number, shown: str = shown) -> None:
            problems.append(f"{shown}:{number}: {key}: {text}")

        before = len(problems)
        message = _message(raw, complain)
        if len(problems) > before or message is None:
            continue
        if message.id in lines:
            first = lines[message.id]
            complain("id", f"value {show_value(message.id)}: is on line {first} already")
        lines[message.id] = number
        messages.append(message)
    refuse(problems)
    return messages


def refuse(problems: list[str]) -> None:
    """Raise LabelError when there are problems; a long list is cut."""
    more = len(problems) - _MOST_PROBLEMS
    if problems:
        rest = [f"and {more} more problems"] if more > 0 else []
        raise LabelError("\n".join([*problems[:_MOST_PROBLEMS], *rest]))


def json_lines(path: Path, problems: list[str]) -> list[tuple[int, dict[str, Any]]]:
    """Return the JSON objects of a file with their line numbers; what is none is a problem.

    A file ``*.xz`` is unpacked. Raises LabelError when the file cannot be read.
    """
    try:
        data = path.read_bytes()
        data = lzma.decompress(data) if path.suffix == ".xz" else data
    except OSError as error:
        raise LabelError(f"{path}: {error.strerror}; expected a readable file") from None
    except lzma.LZMAError as error:
        raise LabelError(f"{path}: {error}; expected a file packed by xz") from None
    objects = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{show_path(str(path))}:{number}"
        try:
            raw = json.loads(line)
        except ValueError:
            problems.append(f"{where}: not JSON: allowed: one JSON object a line")
            continue
        if isinstance(raw, dict):
            objects.append((number, raw))
        else:
            kind = type(raw).__name__
            problems.append(f"{where}: a JSON {kind}: allowed: one JSON object a line")
    return objects


def _message(raw: dict[str, Any], complain: Complain) -> Message | None:
    text = raw.get("text")
    name = raw.get("id")
    if not isinstance(name, str) or not name:
        complain("id", f"value {show_value(name)}: allowed: a text that is not empty")
    if not isinstance(text, str):
        complain("text", "allowed: the text of the message")
        return None
    for key in ("repo", "session", "transcript", "stop"):
        if not isinstance(raw.get(key, ""), str):
            complain(key, f"value {show_value(raw[key])}: allowed: a text")
    if not _is_whole(raw.get("turn", 0)):
        complain("turn", f"value {show_value(raw['turn'])}: allowed: a whole number from 1")
    kept = text or not raw.get("stop")  # else it is read from the transcript
    units = _units(raw.get("units"), len(text) if kept else sys.maxsize, complain)
    return Message(
        str(name),
        text,
        units,
        _labels(raw.get("labels"), len(units), complain),
        raw.get("repo", ""),
        raw.get("session") or str(name),
        raw.get("transcript", ""),
        raw.get("turn", 0),
        raw.get("stop", ""),
        {key: value for key, value in raw.items() if key not in _MESSAGE_KEYS},
    )


def _units(value: Any, length: int, complain: Complain) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list):
        complain("units", f"value {show_value(value)}: allowed: a list of [start, end]")
        return ()
    units = []
    last = 0
    for number, unit in enumerate(value, 1):
        pair = isinstance(unit, list) and len(unit) == 2 and all(map(_is_whole, unit))
        if not pair or not last <= unit[0] < unit[1] <= length:
            allowed = f"[start, end] with {last} <= start < end <= {length}"
            complain(f"units[{number}]", f"value {show_value(unit)}: allowed: {allowed}")
            return ()
        units.append((unit[0], unit[1]))
        last = unit[1]
    return tuple(units)


def _labels(value: Any, units: int, complain: Complain) -> dict[int, Label]:
    if not isinstance(value, dict):
        complain("labels", f"value {show_value(value)}: allowed: an object by unit number")
        return {}
    labels = {}
    for name, raw in value.items():
        key = f"labels.{name}"
        if not name.isdecimal() or not 1 <= int(name) <= units:
            complain(key, f"no such unit: allowed: a number from 1 to {units}")
        elif not isinstance(raw, dict):
            complain(key, f"value {show_value(raw)}: allowed: an object with a flag")
        else:
            labels[int(name)] = _label(raw, key, complain)
    return labels


def _label(raw: dict[str, Any], key: str, complain: Complain) -> Label:
    def check(name: str, allowed: tuple[Any, ...], default: Any) -> Any:
        value = raw.get(name, default)
        if not any(value is one or (type(value) is type(one) and value == one) for one in allowed):
            choices = ", ".join(show_value(one) for one in allowed)
            complain(f"{key}.{name}", f"value {show_value(value)}: allowed: {choices}")
        return value

    if "flag" not in raw:
        complain(f"{key}.flag", "missing: allowed: 0, 1, null")
    check("sure", (0, 1), 0)
    check("support", VERDICTS, VERDICTS[0])
    return Label(
        check("flag", (0, 1, None), None),
        check("kind", _LABEL_KINDS, NO_KIND),
        check("open", (True, False), False),
        check("skipped", (True, False), False),
        {name: value for name, value in raw.items() if name not in _LABEL_KEYS},
    )


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0
