"""How keys, values, paths and errors stand in messages: one line, plain ASCII, safe to print."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
