"""Adding settings to a TOML text that a person wrote: comments, order and line ends stay.

Only what a command adds is edited: values of a table, and entries of a list of tables. The result
is parsed again, and a text in which that cannot be done by lines is refused. Not tomlkit: at 0.15.2
it puts a value added to a table behind the comment above the next one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from groundwire.config.dump import to_toml
from groundwire.config.words import KeyPath
from groundwire.errors import ConfigError

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
