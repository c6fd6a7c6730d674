"""Reading what a judge says of the statements of a turn.

A model may write prose around its answer, fence it, break off in the middle or name statements that
do not exist. What holds is kept, statement by statement, and the rest is dropped and counted.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from groundwire.base.model import KINDS
from groundwire.base.record import Record
from groundwire.runs.digest import MISSING

#: Name of the structured answer, and its schema; bounds are checked here, not by providers.
NAME = "report_statements"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "statements": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "n": {"type": "integer", "description": "Number of the statement."},
                    "probability": {
                        "type": "integer",
                        "description": "0 to 100: how likely a fair reviewer challenges it.",
                    },
                    "kind": {"type": "string", "description": "What it would be, or none."},
                    "why": {"type": "string", "description": "At most 15 words."},
                    "call": {
                        "type": ["integer", "null"],
                        "description": "The call that decides; 0: the prompt, another statement.",
                    },
                    "quote": {"type": "string", "description": "Copied from its entry, or empty."},
                    "missing": {
                        "type": "string",
                        "enum": [*MISSING, ""],
                        "description": "The kind of evidence that is missing, or empty.",
                    },
                },
                "required": ["n", "probability", "kind", "why", "call", "quote", "missing"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["statements"],
    "additionalProperties": False,
}
#: What a statement can lack: ``missing`` of an answer.
MOST_WORDS = 15
#: What a statement has that a whole answer leaves out; the prompt asks for those from 5 on.
OMITTED = 2
MOST_CHARACTERS = 160
#: Characters of a quotation that are looked for; the prompt asks for 80.
_LONGEST_QUOTE = 200
_NO_KIND = ("", "none", "null")
_LONGEST_REPLY = 200_000
_MOST_STARTS = 200
_START = re.compile(r"[{\[]")
_CALL = re.compile(r"(?:\bcalls?\s*(?:no\.?|number)?\s*#?|#)(\d{1,5})\b", re.IGNORECASE)


class Said(Record):
    """What a judge says of one statement.

    ``probability`` (0 to 100) is that a fair reviewer challenges it; ``kind`` is one of ``KINDS``
    or ""; ``why`` is one line of at most 15 words; ``call`` is the number of the tool call that it
    rests on, from 1, or 0. ``quote`` is what it copied from there, ``missing`` one of ``MISSING``
    or "": its grounds, which ``groundwire_judge/grounds.py`` checks.
    """

    number: int
    probability: int
    kind: str = ""
    why: str = ""
    call: int = 0
    quote: str = ""
    missing: str = ""


class Answer(Record):
    """What came back about a turn: an answer, or the ``problem`` that kept it away.

    ``whole``: it did not break off, so that a statement that it leaves out is a harmless one.
    ``unread`` are statements with an entry that did not hold, of which nothing is known,
    ``dropped`` the number of these entries. ``cost`` is in dollars, None when the price is not
    known; a cached answer costs nothing. ``asked`` is the key of the question in the cache.
    """

    said: tuple[Said, ...] = ()
    whole: bool = False
    unread: tuple[int, ...] = ()
    dropped: int = 0
    problem: str = ""
    provider: str = ""
    model: str = ""
    prompt_version: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    milliseconds: float = 0.0
    asked: str = ""
    cached: bool = False

    def about(self, number: int) -> Said | None:
        """Return what is said of a statement; None when that is not known."""
        for one in self.said:
            if one.number == number:
                return one
        silent = self.problem or not self.whole or number in self.unread
        return None if silent else Said(number, OMITTED)


def read_answer(text: str, numbers: Collection[int], calls: int) -> Answer:
    """Return what ``text`` says of the statements ``numbers``.

    ``calls`` is the number of tool calls of the turn. Entries are dropped when their statement is
    unknown or named more than once, when the probability is no number from 0 to 100, and when the
    kind is none of ours. A text without an answer is a ``problem``.
    """
    entries, whole = _entries(text[:_LONGEST_REPLY])
    if not entries and not whole:
        return Answer(problem="the reply holds no answer")
    by_number: dict[int, Said] = {}
    unread: dict[int, None] = {}
    for entry in entries:
        saying = _read_entry(entry, calls)
        if saying and saying.number in numbers and saying.number not in by_number:
            by_number[saying.number] = saying
        elif isinstance(entry, dict) and type(entry.get("n")) is int and entry["n"] in numbers:
            unread[entry["n"]] = None
    sayings = tuple(by_number[number] for number in sorted(by_number) if number not in unread)
    return Answer(sayings, whole, tuple(unread), len(entries) - len(sayings))


def answer_fields(answer: Answer) -> dict[str, Any]:
    """Return an answer as plain data."""
    fields = {name: getattr(answer, name) for name in Answer._fields}
    said = [{name: getattr(one, name) for name in Said._fields} for one in answer.said]
    return {**fields, "said": said}


def answer_from(fields: Mapping[str, Any]) -> Answer:
    """Return the answer of ``answer_fields``; raises TypeError for data of another shape."""
    said = tuple(Said(**one) for one in fields.get("said", ()))
    return Answer(**{**fields, "said": said, "unread": tuple(fields.get("unread", ()))})


def plain_why(text: str) -> str:
    """Return a reason as one line of at most 15 words, without control and format characters."""
    clean = "".join(" " if unicodedata.category(char) in _UNSEEN else char for char in text)
    words = clean.split()
    line = " ".join(words[:MOST_WORDS])
    if len(words) > MOST_WORDS or len(line) > MOST_CHARACTERS:
        return line[: MOST_CHARACTERS - 3].rstrip(" .,;:") + "..."
    return line


#: Control, format, private, unassigned characters, halves of pairs, and separators of lines.
_UNSEEN = frozenset(("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"))


def _read_entry(entry: object, calls: int) -> Said | None:
    if not isinstance(entry, dict):
        return None
    number: Any = entry.get("n")
    probability: Any = entry.get("probability")
    kind = entry.get("kind") or ""
    if not _is_number(number) or isinstance(number, float) or not _is_number(probability):
        return None
    if not 0 <= probability <= 100 or not isinstance(kind, str):  # NaN is not within either
        return None
    name = kind.strip().lower()
    if name in _NO_KIND:
        name = ""
    elif name not in KINDS:
        return None
    why = entry.get("why")
    line = plain_why(why) if isinstance(why, str) else ""
    quote, missing = entry.get("quote"), entry.get("missing")
    return Said(
        number,
        int(probability + 0.5),
        name,
        line,
        _call(entry, line, calls),
        quote[:_LONGEST_QUOTE] if isinstance(quote, str) else "",
        missing if isinstance(missing, str) and missing in MISSING else "",
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _call(entry: Mapping[str, Any], why: str, calls: int) -> int:
    """Return the number of the call that an entry names, in its own field or in its reason."""
    given = entry.get("call")
    found = _CALL.search(why)
    number = given if type(given) is int else int(found[1]) if found else 0
    return number if 1 <= number <= calls else 0


def _entries(text: str) -> tuple[list[Any], bool]:
    """Return the entries of the last whole answer and True, else those of one that breaks off."""
    answers = [statements for one in _values(text) if (statements := _statements(one)) is not None]
    if answers:
        return answers[-1], True
    broken = text.rpartition('"statements"')[2].partition("[")[2]
    return [one for one in _values(broken) if _is_entry(one)], False


def _statements(value: object) -> list[Any] | None:
    if isinstance(value, dict):
        value = value.get("statements")
        return value if isinstance(value, list) else None
    if isinstance(value, list) and value and all(map(_is_entry, value)):
        return value
    return None


def _is_entry(value: object) -> bool:
    return isinstance(value, dict) and "n" in value and "probability" in value


def _values(text: str) -> Iterator[Any]:
    """Yield the JSON objects and lists in a text from left to right, none inside another."""
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(_MOST_STARTS):
        found = _START.search(text, at)
        if found is None:
            return
        try:
            value, at = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            at = found.end()
        else:
            yield value
