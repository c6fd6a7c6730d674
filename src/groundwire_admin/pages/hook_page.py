"""The hook's settings: mode and thresholds. Saving writes them where the next hook reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from nicegui import ui

from groundwire.errors import ConflictError, GroundwireError
from groundwire_admin.pages.calls import ask
from groundwire_admin.pages.draft import Draft, differences
from groundwire_admin.pages.frame import Route, frame, who
from groundwire_admin.pages.load import load
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.save_bar import SaveBar
from groundwire_admin.pages.states import notice, say
from groundwire_admin.pages.text import shown, words
from groundwire_admin.pages.weights import NamedSlider
from groundwire_admin.service import Admin
from groundwire_admin.service.hook_settings import HookSettingsView

LEAD = "When the hook stops a turn. Changes take effect with the next session."
MODES = {
    "enforce": "Enforce: stop a turn whose message goes beyond the evidence",
    "report": "Report: show what was found, stop nothing",
    "off": "Off: check nothing",
}
THRESHOLDS = {
    "report": ("Report from", "Matches with at least this confidence are reported."),
    "block": ("Block from", "One statement with at least this confidence stops the turn."),
    "words_block": ("Block on words alone from", "The same for a message without a transcript."),
    "doubt": ("Count together from", "Statements with at least this confidence count together."),
    "message_block": (
        "Block the message from",
        "The combined confidence of these statements that stops the turn.",
    ),
}
_NOTIFY = "Tell the user about reported matches"


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route("/hook")
    async def page() -> None:
        with frame("/hook", "Hook settings", LEAD):
            fetch = partial(ask, admin.hook.get)
            await load("the hook's settings", fetch, lambda view: HookPage(admin, view).build())


class HookPage:
    """One visit of the page."""

    def __init__(self, admin: Admin, view: HookSettingsView) -> None:
        self._admin, self._view = admin, view
        self._draft = Draft(_document(view), view.version)

    def build(self) -> None:
        """Add everything below the title."""
        self._content = ui.element("div").classes("stack")
        self._bar = SaveBar(
            self._draft, save=self._save, discard=self._discard, action="Save and activate"
        )
        self._fill()

    def _fill(self) -> None:
        with self._content:
            if self._view.problems:
                notice("warn", "A settings file has problems", *self._view.problems)
            with panel("Mode"):
                ui.radio(
                    MODES,
                    value=self._draft.get("mode"),
                    on_change=lambda event: self._draft.set("mode", event.value),
                ).props('aria-label="Mode"')
                ui.switch(
                    _NOTIFY,
                    value=self._draft.get("notify"),
                    on_change=lambda event: self._draft.set("notify", event.value),
                )
                words(self._origin("mode"), "p", "help")
            with panel("Thresholds"):
                words("Confidence from 0 to 100; high means suspicious.", "p", "soft")
                for name in THRESHOLDS:
                    self._threshold(name)
            self._file_panel()

    def _threshold(self, name: str) -> None:
        path = f"thresholds.{name}"
        title, text = THRESHOLDS[name]
        NamedSlider(
            title,
            self._draft.get(path),
            high=100,
            step=1,
            digits=0,
            help_text=f"{text} {self._origin(path)}",
            on_change=lambda value: self._draft.set(path, int(value)),
        )

    def _origin(self, path: str) -> str:
        origin = self._view.origins.get(path, "default")
        return "This is the default." if origin == "default" else f"Set by {origin}."

    def _file_panel(self) -> None:
        """Say where the settings are kept, and offer to take back what was set here."""
        view = self._view
        with panel("Where these settings are stored"):
            words(view.path, "p", "mono small wrap")
            if not view.admin:
                words(
                    "Nothing has been changed here yet; the user's own settings apply.", "p", "soft"
                )
                return
            rows = differences({}, view.admin)
            lines = [f"{row.path} = {shown(row.typed)}" for row in rows]
            words("\n".join(lines), "pre", "mono small wrap")
            words("A project's own settings can be stricter.", "p", "soft")
            ui.button("Reset all of these", on_click=self._take_back).props("outline")

    async def _take_back(self) -> None:
        await self._write(dict.fromkeys(self._view.admin), self._view.version)

    async def _save(self) -> None:
        await self._write(self._draft.changes(), self._draft.version)

    async def _write(self, changes: Mapping[str, Any], version: int | str) -> None:
        try:
            view = await ask(self._admin.hook.save, changes, who=who(), version=str(version))
        except ConflictError as error:
            await self._conflict(str(error))
        except GroundwireError as error:
            self._bar.problems("Not saved", str(error))
        else:
            self._show(view, keep=False)
            say("Saved. The change takes effect with the next session.")

    async def _conflict(self, text: str) -> None:
        try:
            now = await ask(self._admin.hook.get)
        except GroundwireError as error:
            self._bar.problems("Not saved", f"{text}\n{error}")
            return
        self._bar.conflict(
            text,
            differences(_document(now), self._draft.typed),
            lambda: self._show(now, keep=True),
            lambda: self._show(now, keep=False),
        )

    def _discard(self) -> None:
        self._show(self._view, keep=False)

    def _show(self, view: HookSettingsView, *, keep: bool) -> None:
        """Show the settings as they are stored; ``keep`` puts what was typed on top."""
        self._view = view
        (self._draft.rebase if keep else self._draft.take)(_document(view), view.version)
        self._draft.silence()
        self._content.clear()
        self._bar.clear()
        self._fill()
        self._bar.follow()


def _document(view: HookSettingsView) -> dict[str, Any]:
    """Return the part of the settings that the page changes."""
    settings = view.settings
    thresholds = {name: settings["thresholds"][name] for name in THRESHOLDS}
    return {"mode": settings["mode"], "notify": settings["notify"], "thresholds": thresholds}
