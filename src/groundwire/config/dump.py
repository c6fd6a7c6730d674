"""Settings written as TOML: the inverse of reading a settings file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from groundwire.config.words import BARE_KEY, KeyPath

_NO_COMMENTS: dict[KeyPath, str] = {}


def to_toml(document: Mapping[str, Any], comments: Mapping[KeyPath, str] = _NO_COMMENTS) -> str:
    """Return ``document`` as TOML text that parses to the same document.

    ``comments`` holds a comment for the line of each key path.
    """
    return "\n".join(_lines(document, comments, ())).lstrip("\n") + "\n"


def _lines(
    document: Mapping[str, Any], comments: Mapping[KeyPath, str], above: KeyPath
) -> list[str]:
    """Return the lines of one table: its plain values, then the tables in it."""
    lines: list[str] = []
    tables = {key: value for key, value in document.items() if _is_table(value)}
    for key, value in document.items():
        if key not in tables:
            lines.append(_line(key, value, comments.get((*above, key))))
    for key, value in tables.items():
        path = (*above, key)
        if isinstance(value, list):
            lines.extend(_entries(path, value, comments.get(path)))
        else:
            lines += ["", f"[{_key(path)}]", *_lines(value, comments, path)]
    return lines


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    )


def _entries(path: KeyPath, entries: list[dict[str, Any]], comment: str | None) -> list[str]:
    lines = []
    for entry in entries:
        lines += ["", _commented(f"[[{_key(path)}]]", comment)]
        lines += [_line(name, item, None) for name, item in entry.items()]
    return lines


def _line(key: str, value: Any, comment: str | None) -> str:
    return _commented(f"{_key((key,))} = {_value(value)}", comment)


def _commented(text: str, comment: str | None) -> str:
    return f"{text}  # {comment}" if comment else text


def _key(path: KeyPath) -> str:
    return ".".join(name if BARE_KEY.fullmatch(name) else _value(name) for name in map(str, path))


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(_line(key, item, None) for key, item in value.items()) + " }"
    if isinstance(value, str):
        # JSON escapes are TOML escapes, but TOML also wants DEL escaped
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return json.dumps(value)
