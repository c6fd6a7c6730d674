"""Settings written as TOML: the inverse of reading a settings file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from groundwire.config.words import KeyPath, show_key

_NO_COMMENTS: dict[KeyPath, str] = {}


def to_toml(document: Mapping[str, Any], comments: Mapping[KeyPath, str] = _NO_COMMENTS) -> str:
    """Return ``document`` as TOML text that parses to the same document.

    ``comments`` holds a comment for the line of each key path.
    """
    lines: list[str] = []
    tables = {key: value for key, value in document.items() if _is_table(value)}
    for key, value in document.items():
        if key not in tables:
            lines.append(_line(key, value, comments.get((key,))))
    for key, value in tables.items():
        if isinstance(value, list):
            lines.extend(_entries(key, value, comments.get((key,))))
            continue
        lines += ["", f"[{show_key([key])}]"]
        for name, item in value.items():
            lines.append(_line(name, item, comments.get((key, name))))
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    )


def _entries(key: str, entries: list[dict[str, Any]], comment: str | None) -> list[str]:
    lines = []
    for entry in entries:
        lines += ["", _commented(f"[[{show_key([key])}]]", comment)]
        lines += [_line(name, item, None) for name, item in entry.items()]
    return lines


def _line(key: str, value: Any, comment: str | None) -> str:
    return _commented(f"{show_key([key])} = {_value(value)}", comment)


def _commented(text: str, comment: str | None) -> str:
    return f"{text}  # {comment}" if comment else text


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, str):
        # JSON escapes are TOML escapes, but TOML also wants DEL escaped
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return json.dumps(value)
