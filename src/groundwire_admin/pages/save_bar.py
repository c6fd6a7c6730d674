"""The bar at the end of a form: what is unsaved, what is wrong, save and discard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from groundwire_admin.pages.draft import Difference, Draft
from groundwire_admin.pages.kept import RESTORED, Kept
from groundwire_admin.pages.states import notice
from groundwire_admin.pages.text import shown, words


class SaveBar:
    """Follows a draft, and keeps what is unsaved in the browser.

    ``problem`` adds what no single field knows; ``further`` names what is unsaved outside of the
    draft, and kept by others.
    """

    def __init__(
        self,
        draft: Draft,
        kept: Kept,
        *,
        save: Callable[[], Awaitable[None]],
        discard: Callable[[], None],
        problem: Callable[[], str] = lambda: "",
        further: Callable[[], list[str]] = list,
        action: str = "Save",
    ) -> None:
        self._draft, self._problem = draft, problem
        self._kept, self._further = kept, further
        with ui.element("div").classes("savebar") as self._bar:
            self.messages = ui.element("div").classes("stack").props("aria-live=polite")
            with ui.element("div").classes("title-row"):
                self._status = words("").props("role=status")
                with ui.element("div").classes("line"):
                    self._discard = ui.button("Discard changes", on_click=discard).props("flat")
                    self._save = ui.button(action, on_click=save).props("unelevated")
        self.follow()
        if self._draft.differences() or self._further():
            with self.messages:
                notice("info", RESTORED)

    def follow(self) -> None:
        """Listen to the draft, and show its state."""
        self._draft.listen(self.show)
        self.show()

    def show(self) -> None:
        """Show the draft's state."""
        count, further = len(self._draft.differences()), self._further()
        problems = [*self._draft.problems, *filter(None, (self._problem(),))]
        if problems:
            self._status.text = problems[0]
        else:
            unsaved = [f"{count} unsaved change{'s' if count > 1 else ''}"] if count else []
            unsaved += [f"unsaved {name}" for name in further]
            self._status.text = ", ".join(unsaved).capitalize() or "No unsaved changes"
        idle = not (count or problems or further)
        self._bar.classes(**{"add" if idle else "remove": "idle"})
        self._status.classes(**{"add" if problems else "remove": "wrong"})
        self._save.set_enabled(bool(count) and not problems)
        self._discard.set_enabled(bool(count or problems or further))
        self._kept.keep(self._draft.changes())

    def clear(self) -> None:
        """Take all messages away."""
        self.messages.clear()

    def problems(self, title: str, text: str) -> None:
        """Say why nothing was saved; what was typed stays."""
        self.clear()
        with self.messages:
            notice("bad", title, *text.splitlines())

    def conflict(
        self,
        text: str,
        stored: list[Difference],
        keep: Callable[[], None],
        give_up: Callable[[], None],
    ) -> None:
        """Say that somebody else saved first, show both, and offer the two ways on."""
        self.clear()
        title = "Someone else saved first. Nothing was overwritten; your changes are still here."
        with self.messages, notice("warn", title, text):
            difference_table(stored, "Saved now", "Yours")
            with ui.element("div").classes("line"):
                ui.button("Apply my changes to theirs", on_click=keep).props("unelevated")
                ui.button("Discard my changes", on_click=give_up).props("outline")


def difference_table(rows: list[Difference], before: str, after: str) -> None:
    """Add a table of keys with two values each; on a narrow screen each row is a card."""
    with ui.element("table").classes("grid cards"):
        with ui.element("thead"), ui.element("tr"):
            for title in ("Setting", before, after):
                words(title, "th").props("scope=col")
        with ui.element("tbody"):
            for row in rows:
                with ui.element("tr"):
                    words(row.path, "td", "mono small")
                    words(shown(row.stored), "td").props(f'data-title="{before}"')
                    words(shown(row.typed), "td").props(f'data-title="{after}"')
