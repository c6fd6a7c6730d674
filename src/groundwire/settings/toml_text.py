"""TOML written: values, whole settings, and additions to a text that a person wrote.

Only what a command adds is edited: values of a table, and entries of a list of tables. The result
is parsed again, and a text in which that cannot be done by lines is refused. Not tomlkit: at 0.15.2
it puts a value added to a table behind the comment above the next one.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from groundwire.base.errors import ConfigError

KeyPath = tuple[str | int, ...]

_LONGEST_VALUE = 80
_MOST_NAMES = 20
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class Problem(NamedTuple):
    """One error: the key path within its document and the text behind it."""

    path: KeyPath
    text: str


def show_value(value: object) -> str:
    """Return ``value`` as it would stand in a file; cut when long."""
    try:
        text = json.dumps(value, default=str)
    except RecursionError:
        text = f"{type(value).__name__} of very many levels"
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def show_key(path: Iterable[str | int]) -> str:
    """Return a key path as dotted TOML key; list positions count from 1, in square brackets."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            name = part if BARE_KEY.fullmatch(part) else json.dumps(part)
            text += f".{name}" if text else name
    return text


def show_path(path: str) -> str:
    """Return a file path; quoted when it holds characters that do not print."""
    return path if path.isprintable() else json.dumps(path)


def near_misses_first(name: str, allowed: Sequence[str]) -> str:
    """List what is ``allowed`` in place of the unknown ``name``, the most similar first."""
    if not allowed:
        return "there are none"
    near = difflib.get_close_matches(name, allowed, n=3, cutoff=0.6)
    names = [*near, *(other for other in allowed if other not in near)]
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def unknown_name(path: KeyPath, what: str, name: str, known: Sequence[str]) -> Problem:
    """Return the error of a ``name`` that is none of the ``known`` ones."""
    return Problem(path, f"{what}: allowed: {near_misses_first(name, known)}")


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


_VALUE = re.compile(r"(?<!\s)(\s*=\s*)[^\s#]+")


def with_changes(text: str, changes: Mapping[str, Any], prefix: tuple[str, ...] = ()) -> str:
    """Return ``text`` with ``changes``: tables of plain values, and lists of tables to append.

    ``prefix`` is the table that holds the settings, in a ``pyproject.toml``. Raises ConfigError
    when the text is no TOML, or keeps the place in another form, such as an inline table.
    """
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = text.removesuffix(line_end).split(line_end)
    for name, value in changes.items():
        path = (*prefix, name)
        if isinstance(value, list):
            lines += ["", *_table_lines(name, value, path)]
        else:
            for key, single in value.items():
                _set(lines, path, key, single)
    edited = line_end.join(lines).lstrip("\r\n") + line_end
    try:
        if tomllib.loads(edited) == _expected_table(tomllib.loads(text), changes, prefix):
            return edited
    except tomllib.TOMLDecodeError:
        pass
    raise ConfigError(f"it cannot be added to a file of this form; by hand:\n{to_toml(changes)}")


def _table_lines(name: str, entries: list[Any], path: tuple[str, ...]) -> list[str]:
    head, written = f"[[{name}]]", f"[[{'.'.join(path)}]]"
    lines = to_toml({name: entries}).splitlines()
    return [written if line == head else line for line in lines]


def _set(lines: list[str], table: tuple[str, ...], key: str, value: Any) -> None:
    """Replace the value of ``key`` in its table, or add it there, or a table at the end."""
    line = to_toml({key: value}).rstrip("\n")
    start = next((at for at, one in enumerate(lines) if _header(one) == table), None)
    if start is None:
        lines += ["", f"[{'.'.join(table)}]", line]
        return
    last = start
    for at in range(start + 1, len(lines)):
        if lines[at].lstrip().startswith("["):
            break
        if _keys(lines[at]) == (key,):
            new = line.rpartition(" = ")[2]
            head = lines[at][: lines[at].index("=")]
            lines[at] = head + _VALUE.sub(rf"\g<1>{new}", lines[at][len(head) :], count=1)
            return
        if lines[at].strip() and not lines[at].lstrip().startswith("#"):
            last = at
    lines.insert(last + 1, line)


def _header(line: str) -> tuple[str, ...] | None:
    text = line.strip()
    return _path(text) if text.startswith("[") and not text.startswith("[[") else None


def _keys(line: str) -> tuple[str, ...] | None:
    return _path(line) if "=" in line else None


def _path(line: str) -> tuple[str, ...] | None:
    """Return the keys that a line of TOML leads through; None when it is no whole statement."""
    try:
        node: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while isinstance(node, dict) and len(node) == 1:
        [(name, node)] = node.items()
        path.append(name)
    return tuple(path)


def _expected_table(document: Any, changes: Mapping[str, Any], prefix: KeyPath) -> dict[str, Any]:
    if prefix:
        first, *rest = prefix
        inner = _expected_table(document.get(first, {}), changes, tuple(rest))
        return {**document, str(first): inner}
    expected = dict(document)
    for name, value in changes.items():
        current = document.get(name)
        if isinstance(value, list):
            expected[name] = [*(current or []), *value]
        else:
            expected[name] = {**(current or {}), **value}
    return expected
