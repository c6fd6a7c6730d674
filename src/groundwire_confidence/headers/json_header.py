"""The key ``_confidence`` of a JSON object, written without touching anything else in the text.

Numbers, spacing, order and even doubled keys of the rest stay byte by byte as they are.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from groundwire.base.errors import FileError

KEY = "_confidence"
_SPACE = re.compile(r"[ \t\r\n]*")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def is_object(text: str) -> bool:
    """Tell whether a JSON text is an object; raises FileError when it is no JSON."""
    try:
        return isinstance(_DECODER.decode(text), dict)
    except (ValueError, RecursionError) as error:
        raise FileError(f"not JSON: {error}") from None


def confidence_of(text: str) -> dict[str, Any] | None:
    """Return the value of ``_confidence``, None without it; raises FileError when it is no object.

    The text must hold a JSON object.
    """
    member = _member(text)
    if member and not isinstance(member[3], dict):
        raise FileError(f"{KEY}: allowed: an object")
    return member[3] if member else None


def with_confidence(text: str, fields: dict[str, Any], line_end: str) -> str:
    """Return ``text``, a JSON object, with ``_confidence`` set to ``fields``.

    A new key comes first, in the indentation that the object uses. Keys of the present value that
    ``fields`` does not have are dropped.
    """
    member = _member(text)
    if member:
        start, value_start, end, present = member
        if present == fields:
            return text
        lead = _indent_of_line(text, start)
        value = _value(fields, lead, text[value_start:end], line_end)
        return text[:value_start] + value + text[end:]
    opened = _skip(text, 0) + 1
    after = _skip(text, opened)
    gap = text[opened:after]
    empty = text[after] == "}"
    lead = "  " if empty else re.split(r"[\r\n]", gap)[-1]
    written = f'"{KEY}": {_value(fields, lead, gap, line_end)}'
    if "\n" not in gap and "\r" not in gap:
        return text[:opened] + gap + written + ("" if empty else ", ") + text[after:]
    if empty:
        return text[:opened] + line_end + lead + written + gap + text[after:]
    return f"{text[:opened]}{gap}{written},{line_end}{lead}{text[after:]}"


def _value(fields: dict[str, Any], lead: str, old: str, line_end: str) -> str:
    """Return ``fields`` as JSON: on several lines when the old value stands on several."""
    if "\n" not in old and "\r" not in old:
        return json.dumps(fields)
    step = lead or "  "
    lines = json.dumps(fields, indent=step).split("\n")
    return line_end.join([lines[0], *(lead + line for line in lines[1:])])


def _member(text: str) -> tuple[int, int, int, Any] | None:
    """Return where the last member with the key, its value and its end stand, and the value.

    JSON readers take the last one, too.
    """
    member = None
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] != "}":
        start = at
        key, at = _DECODER.raw_decode(text, at)
        value_start = at = _skip(text, _skip(text, at) + 1)
        value, at = _DECODER.raw_decode(text, at)
        if key == KEY:
            member = start, value_start, at, value
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return member


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _indent_of_line(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    lead = text[start:at]
    return lead if not lead.strip() else ""
