"""The hook's settings: mode and thresholds. Saving writes them where the next hook reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from nicegui import ui

from groundwire.errors import ConflictError, GroundwireError
from groundwire_admin.pages.draft import Draft, differences
from groundwire_admin.pages.frame import Route, frame, who
from groundwire_admin.pages.kept import Kept
from groundwire_admin.pages.load import ask, load
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.save_bar import SaveBar
from groundwire_admin.pages.states import notice, say
from groundwire_admin.pages.text import shown, words
from groundwire_admin.pages.weights import NamedSlider
from groundwire_admin.service import Admin
from groundwire_admin.service.consequences import KeptTurn, count, kept_turns
from groundwire_admin.service.hook_settings import HookSettingsView

LEAD = "When the hook stops a turn. Changes apply from the next turn."
MODES = {
    "enforce": "Enforce: stop turns that claim more than the evidence shows",
    "report": "Report: show findings, stop nothing",
    "off": "Off: do not check",
}
THRESHOLDS = {
    "report": ("Report from", "Reports a match with at least this confidence."),
    "block": ("Block from", "Stops the turn for one statement with at least this confidence."),
    "words_block": ("Block on words alone from", "The same, when there is no transcript."),
    "doubt": ("Combine from", "Combines statements with at least this confidence."),
    "message_block": (
        "Block combined from",
        "Stops the turn when combined statements reach this confidence.",
    ),
}
_SCALE = (
    "Confidence from 0 to 100; high is suspicious. Each slider shows what it would have done to "
    "recent turns."
)
_NOTIFY = "Show reported matches to the user"


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route("/hook")
    async def page() -> None:
        with frame("/hook", "Hook settings", LEAD):
            kept = Kept("hook")
            fetch = partial(_fetch, admin, kept)
            await load("the hook's settings", fetch, partial(_show, admin, kept))


class Found(NamedTuple):
    """What the page shows: settings, and turns to try them on."""

    view: HookSettingsView
    turns: Sequence[KeptTurn]


def _show(admin: Admin, kept: Kept, found: Found) -> None:
    HookPage(admin, kept, found)


async def _fetch(admin: Admin, kept: Kept) -> Found:
    await kept.read()
    await ask(admin.decisions.take_in)
    return Found(await ask(admin.hook.get), await ask(kept_turns, admin.store))


class HookPage:
    """One visit of the page."""

    def __init__(self, admin: Admin, kept: Kept, found: Found) -> None:
        self._admin, self._view, self._turns = admin, found.view, found.turns
        self._draft = Draft(_document(found.view), found.view.version)
        self._draft.restore(kept.typed)
        self._content = ui.element("div").classes("stack")
        self._bar = SaveBar(self._draft, kept, save=self._save, discard=self._discard)
        self._fill()

    def _fill(self) -> None:
        with self._content:
            if self._view.problems:
                notice("warn", "A settings file has errors", *self._view.problems)
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
                words(_SCALE, "p", "soft")
                for name in THRESHOLDS:
                    self._threshold(name)
                self._effect("All sliders together would", THRESHOLDS)
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

        self._effect("Would", [name])

    def _effect(self, lead: str, names: Collection[str]) -> None:
        """Say what the typed values of these thresholds would have made of the kept turns."""
        said = words("", "p", "effect").props("role=status")

        def show() -> None:
            stored, typed = self._draft.stored["thresholds"], self._draft.typed["thresholds"]
            limits = {**stored, **{name: typed[name] for name in names}}
            found = count(self._turns, limits, self._draft.get("mode"))
            moved = sum(stored[name] != typed[name] for name in names)
            # with fewer moved the line of a slider says it already
            told = found.turns and (len(names) == 1 or moved > 1)
            said.text = (
                f"{lead} stop {found.stopped} and report {found.reported} of the last "
                f"{found.turns} turn{'s' if found.turns > 1 else ''}."
                if told
                else ""
            )

        self._draft.listen(show)
        show()

    def _origin(self, path: str) -> str:
        origin = self._view.origins.get(path, "default")
        if origin == "default":
            return "Default."
        return "Set on this page." if origin.startswith("admin") else f"Set in {origin}."

    def _file_panel(self) -> None:
        """Say where the settings are kept, and offer to reset what was set here."""
        view = self._view
        with panel("Settings file"):
            words(view.path, "p", "mono small wrap")
            if not view.admin:
                words("Nothing is set on this page. Your own settings apply.", "p", "soft")
                return
            rows = differences({}, view.admin)
            lines = [f"{row.path} = {shown(row.typed)}" for row in rows]
            words("\n".join(lines), "pre", "mono small wrap")
            words("Projects can set stricter values.", "p", "soft")
            button = ui.button("Reset these settings", on_click=self._reset)
            button.props("outline").classes("self-start")

    async def _reset(self) -> None:
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
            if view.late:
                self._bar.problems("Saved, but sessions that run keep the old settings", view.late)
            else:
                say("Saved. Applies from the next turn.")

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
