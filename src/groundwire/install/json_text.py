"""Changes of the object that a JSON text holds; the text keeps its indentation and line ends."""

from __future__ import annotations

import json
import re

from groundwire.errors import InstallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

_NAMES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
_INDENT = re.compile(r"\n([ \t]+)\S")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str) -> dict[str, Any]:
    """Return the object of a JSON text. Raises InstallError with the line of a wrong character."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        hint = " (comments are not allowed)" if text[error.pos : error.pos + 1] == "/" else ""
        problem = f"line {error.lineno}: not valid JSON: {error.msg}{hint}"
        raise InstallError(problem) from None
    except RecursionError:
        raise InstallError("not valid JSON: nested too deeply") from None
    expect(value, dict, "the settings")
    return value  # type: ignore[no-any-return]


def expect(value: object, kind: type, name: str) -> None:
    """Raise InstallError for a value of another kind than ``kind``: ``dict`` or ``list``."""
    if not isinstance(value, kind):
        actual = "null" if value is None else _NAMES.get(type(value), "a number")
        raise InstallError(f"{name} must be {_NAMES[kind]}, not {actual}")


def edited(text: str, change: Callable[[dict[str, Any]], None]) -> str:
    """Return ``text`` after ``change`` of its object; the same text when nothing changes.

    The first indented line tells the indentation, which is two spaces when there is none. Raises
    InstallError.
    """
    value = parse(text)
    change(value)
    if value == parse(text):
        return text
    indent = _INDENT.search(text)
    # A lone surrogate can only be written as an escape.
    ascii_only = text.isascii() or bool(_SURROGATE.search(text))
    try:
        written = json.dumps(
            value, ensure_ascii=ascii_only, indent=indent[1] if indent else 2, allow_nan=False
        )
    except (RecursionError, ValueError) as error:
        raise InstallError(f"it cannot be written again: {error}") from None
    end = text[len(text.rstrip()) :]
    return (written.replace("\n", "\r\n") if "\r\n" in text else written) + end


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise InstallError(f'the key "{key}" stands twice in one object')
        members[key] = value
    return members


def _refuse(name: str) -> NoReturn:
    raise InstallError(f"not valid JSON: {name} is no JSON value")
