"""A stored document while it is edited: draft, form, and the bar that saves it."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from nicegui import ui

from groundwire.base.errors import ConflictError, GroundwireError
from groundwire_confidence.calculation import deep_merge
from groundwire_server.admin.pages.elements import RESTORED, Kept, notice, say, shown, table, words

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


class Stored(Protocol):
    """What the server keeps; a change names its ``version``."""

    @property
    def version(self) -> int | str: ...


View = TypeVar("View", bound=Stored)


class Form(ABC, Generic[View]):
    """``view`` is what is stored, ``draft`` what is typed, kept in the browser until saved."""

    def __init__(self, view: View, kept: Kept) -> None:
        self.view = view
        self.draft = Draft(self.document(view), view.version)
        self.draft.restore(kept.typed)
        self._kept = kept

    @abstractmethod
    def document(self, view: View) -> Document:
        """Return the part of ``view`` that the form changes."""

    @abstractmethod
    async def fetch(self) -> View:
        """Return what is stored by now."""

    @abstractmethod
    async def write(self, changes: Document) -> View:
        """Store changes of the draft's version; return what is stored then."""

    @abstractmethod
    def fill(self) -> None:
        """Build the fields anew, from the draft."""

    def saved(self) -> None:
        """Say that it is saved."""
        say("Saved")

    def problem(self) -> str:
        """Return what is wrong with the draft and what no single field knows, or ""."""
        return ""

    def further(self) -> list[str]:
        """Return what is unsaved outside of the draft and kept by others, by what it is called."""
        return []

    def add_bar(self) -> None:
        """Add the bar at the end of the form: what is unsaved, what is wrong, save and discard."""
        with ui.element("div").classes("savebar") as self._bar:
            self._messages = ui.element("div").classes("stack").props("aria-live=polite")
            with ui.element("div").classes("title-row"):
                self._status = words("").props("role=status")
                with ui.element("div").classes("line"):
                    self._discard = ui.button("Discard changes", on_click=self.discard)
                    self._discard.props("flat")
                    self._save = ui.button("Save", on_click=self.store).props("unelevated")
        self._follow()
        if self.draft.differences() or self.further():
            with self._messages:
                notice("info", RESTORED)

    def _follow(self) -> None:
        self.draft.listen(self._show_state)
        self._show_state()

    def _show_state(self) -> None:
        count, further = len(self.draft.differences()), self.further()
        problems = [*self.draft.problems, *filter(None, (self.problem(),))]
        if problems:
            self._status.text = problems[0]
        else:
            told = [f"{count} unsaved change{'s' if count > 1 else ''}"] if count else []
            told += [f"unsaved {name}" for name in further]
            self._status.text = ", ".join(told).capitalize() or "No unsaved changes"
        unsaved = bool(count or problems or further)
        self._bar.classes(**{"remove" if unsaved else "add": "idle"})
        self._status.classes(**{"add" if problems else "remove": "wrong"})
        self._save.set_enabled(bool(count) and not problems)
        self._discard.set_enabled(unsaved)
        self._kept.keep(self.draft.changes())

    def say_problem(self, title: str, text: str) -> None:
        """Say what went wrong in place of what the bar said before."""
        self._messages.clear()
        with self._messages:
            notice("bad", title, *text.splitlines())

    async def store(self, changes: Document | None = None) -> None:
        """Store changes, or what is typed; that stays where it fails or somebody else was first."""
        try:
            view = await self.write(self.draft.changes() if changes is None else changes)
        except ConflictError as error:
            await self._conflict(str(error))
        except GroundwireError as error:
            self.say_problem("Not saved", str(error))
        else:
            self.show(view)
            with self._bar:  # the button that was clicked may be gone
                self.saved()

    async def _conflict(self, text: str) -> None:
        """Say that somebody else saved first, show both, and offer the two ways on."""
        try:
            now = await self.fetch()
        except GroundwireError as error:
            self.say_problem("Not saved", f"{text}\n{error}")
            return
        self._messages.clear()
        title = "Someone else saved first. Nothing was overwritten; your changes are still here."
        with self._messages, notice("warn", title, text):
            rows = differences(self.document(now), self.draft.typed)
            difference_table(rows, "Saved now", "Yours")
            with ui.element("div").classes("line"):
                keep = ui.button("Apply my changes to theirs")
                keep.on_click(lambda: self.show(now, keep=True)).props("unelevated")
                give_up = ui.button("Discard my changes", on_click=lambda: self.show(now))
                give_up.props("outline")

    def discard(self) -> None:
        """Go back to what is stored."""
        self.show(self.view)

    def show(self, view: View, *, keep: bool = False) -> None:
        """Show what is stored; ``keep`` puts what was typed on top."""
        self.view = view
        (self.draft.rebase if keep else self.draft.take)(self.document(view), view.version)
        self.draft.silence()
        self._messages.clear()
        self.fill()
        self._follow()


def difference_table(rows: list[Difference], before: str, after: str) -> None:
    """Add a table of keys with two values each."""
    cells = [(row.path, shown(row.stored), shown(row.typed)) for row in rows]
    table(("Setting", before, after), cells)
