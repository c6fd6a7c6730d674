"""A configuration while it is edited: what is stored, what was typed, and the difference."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from groundwire.config.calculation import deep_merge

Document = Mapping[str, Any]


class Difference(NamedTuple):
    """One key whose typed value is not the stored one."""

    path: str
    stored: Any
    typed: Any


class Draft:
    """A document with its version; panels write into it, whoever listens is told."""

    def __init__(self, document: Document, version: int | str) -> None:
        self.stored: dict[str, Any] = {}
        self.typed: dict[str, Any] = {}
        self.version = version
        self._listeners: list[Callable[[], None]] = []
        self._problems: dict[str, str] = {}
        self.take(document, version)

    def take(self, document: Document, version: int | str) -> None:
        """Begin again from a stored document; what was typed is given up."""
        self.stored = copy.deepcopy(dict(document))
        self.typed = copy.deepcopy(dict(document))
        self.version = version
        self._problems.clear()

    def rebase(self, document: Document, version: int | str) -> None:
        """Put what was typed on top of a document that was stored in the meantime."""
        typed = self.changes()
        self.stored = copy.deepcopy(dict(document))
        self.restore(typed)
        self.version = version

    def restore(self, changes: Document) -> None:
        """Put changes on top that were typed at an earlier visit."""
        self.typed = deep_merge(copy.deepcopy(self.stored), changes)

    def set(self, path: str, value: object) -> None:
        """Type a value; ``path`` names keys with dots between them."""
        _put(self.typed, path, value)
        self.tell()

    def get(self, path: str) -> Any:
        """Return what was typed, or else is stored."""
        return _at(self.typed, path)

    def get_stored(self, path: str) -> Any:
        """Return what is stored."""
        return _at(self.stored, path)

    def complain(self, path: str, problem: str | None) -> None:
        """Keep or forget what is wrong with a typed value: nothing wrong may be saved."""
        if problem:
            self._problems[path] = problem
        else:
            self._problems.pop(path, None)
        self.tell()

    @property
    def problems(self) -> list[str]:
        """What is wrong with the typed values."""
        return list(self._problems.values())

    def listen(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` after every change."""
        self._listeners.append(listener)

    def silence(self) -> None:
        """Forget all that listen: the panels are built anew."""
        self._listeners.clear()

    def tell(self) -> None:
        """Tell all that listen."""
        for listener in self._listeners:
            listener()

    def changes(self) -> dict[str, Any]:
        """Return the typed values that are not the stored ones, as a partial document."""
        document: dict[str, Any] = {}
        for one in self.differences():
            _put(document, one.path, one.typed)
        judge = document.get("llm_settings", {})
        if "provider" in judge:  # without its model it would get another one
            judge["model"] = self.get("llm_settings.model")
        return document

    def differences(self) -> list[Difference]:
        """Return them as a list, by path."""
        return differences(self.stored, self.typed)


def differences(before: Document, after: Document, prefix: str = "") -> list[Difference]:
    """Return where two documents differ, by path."""
    changes: list[Difference] = []
    for key in dict.fromkeys((*before, *after)):
        one, two = before.get(key), after.get(key)
        if isinstance(one or two, Mapping) and isinstance(two or one, Mapping):
            changes += differences(one or {}, two or {}, f"{prefix}{key}.")
        elif one != two:
            changes.append(Difference(f"{prefix}{key}", one, two))
    return changes


def _at(table: Document, path: str) -> Any:
    value: Any = table
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _put(table: dict[str, Any], path: str, value: object) -> None:
    """Set a value; ``path`` names keys with dots between them."""
    *outer, last = path.split(".")
    for key in outer:
        table = table.setdefault(key, {})
    table[last] = value
