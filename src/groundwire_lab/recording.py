"""Recorded answers of a judge: one JSON object a line, that anybody can score again.

A line holds the id of the message, where its numbered statements stand in it (code points), the
number of tool calls, the answer as it came, and what is known of how it was made. It holds nothing
of the message or of the turn but what the answer quotes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from groundwire.base.record import Record
from groundwire.settings.toml_text import show_path
from groundwire.turn.page import Statement, TurnDigest
from groundwire_judge.answer import Answer, read_answer
from groundwire_lab.errors import LabelError
from groundwire_lab.labels import json_lines, refuse

_PROMPT_DIGITS = 16


class Recorded(Record):
    """One recorded answer. ``prompt`` is a hash of what was asked; unknown figures are None."""

    id: str
    statements: tuple[tuple[int, int], ...]
    calls: int
    answer: str
    model: str = ""
    prompt_version: int = 0
    prompt: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None

    def read(self) -> Answer:
        """Return what it says of its statements."""
        return read_answer(self.answer, range(1, len(self.statements) + 1), self.calls)

    def shown(self, digest: TurnDigest, text: str) -> TurnDigest:
        """Return ``digest`` with the statements that this answer numbers."""
        notes = {(one.start, one.end): one for one in digest.statements}
        statements = (
            notes.get(place, Statement(0, *place, text[slice(*place)])).replace(number=number)
            for number, place in enumerate(self.statements, 1)
        )
        return digest.replace(statements=tuple(statements))


def prompt_hash(system: str, content: str) -> str:
    """Return what a prompt is known by."""
    return sha256(f"{system}\0{content}".encode()).hexdigest()[:_PROMPT_DIGITS]


def read_recording(path: Path) -> dict[str, Recorded]:
    """Return the answers of a file by the id of their message. Raises LabelError."""
    problems: list[str] = []
    answers: dict[str, Recorded] = {}
    for number, raw in json_lines(path, problems):
        where = f"{show_path(str(path))}:{number}"
        try:
            answer = _recorded(raw)
        except (KeyError, TypeError, ValueError) as error:
            problems.append(f"{where}: {error}: expected id, statements, calls and answer")
            continue
        if answer.id in answers:
            problems.append(f"{where}: id {answer.id!r} stands there twice")
        answers[answer.id] = answer
    refuse(problems)
    if not answers:
        raise LabelError(f"{show_path(str(path))}: no recorded answers")
    return answers


def line_of(recorded: Recorded) -> str:
    """Return one line of a recording, with its line break."""
    fields = {name: getattr(recorded, name) for name in Recorded._fields}
    known = {name: value for name, value in fields.items() if value not in (None, "")}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_recording(path: Path, recorded: Iterable[Recorded]) -> None:
    """Write a file of answers; raises OSError."""
    path.write_text("".join(map(line_of, recorded)), encoding="utf-8")


def _recorded(raw: Mapping[str, Any]) -> Recorded:
    fields = {name: raw[name] for name in Recorded._fields if name in raw}
    places = tuple((int(start), int(end)) for start, end in fields["statements"])
    answer, calls = fields["answer"], int(fields["calls"])
    if not isinstance(answer, str):
        raise TypeError(f"answer: found {type(answer).__name__}")
    return Recorded(**{**fields, "statements": places, "calls": calls})
