"""The hook's settings: mode and thresholds. Saving writes them where the next hook reads them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

from nicegui import ui

from groundwire_server.admin.pages.elements import Kept, ask, load, notice, say, shown, words
from groundwire_server.admin.pages.form import Document, Form, differences
from groundwire_server.admin.pages.frame import Route, frame, who
from groundwire_server.admin.pages.panels import NamedSlider, panel
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.consequences import KeptTurn, count, kept_turns
from groundwire_server.admin.service.hook_settings import HookSettingsView

LEAD = "When the hook stops a turn. Changes apply from the next turn."
MODES = {
    "enforce": "Enforce: stop turns that claim more than the evidence shows",
    "report": "Report: show findings, stop nothing",
    "off": "Off: do not check",
}
THRESHOLDS = {
    "report": ("Report from", "Reports a match with at least this confidence."),
    "stop_from": (
        "Block by confidence from",
        "Stops the turn for one statement with at least this confidence; 101 leaves it to facts.",
    ),
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
            await load("the hook's settings", fetch, partial(HookPage, admin, kept))


class Found(NamedTuple):
    """What the page shows: settings, and turns to try them on."""

    view: HookSettingsView
    turns: Sequence[KeptTurn]
    look: Sequence[str]


async def _fetch(admin: Admin, kept: Kept) -> Found:
    await kept.read()
    await ask(admin.decisions.take_in)
    turns = await ask(kept_turns, admin.store)
    return Found(await ask(admin.hook.get), turns, await ask(admin.hook.second_look))


class HookPage(Form[HookSettingsView]):
    """One visit of the page."""

    def __init__(self, admin: Admin, kept: Kept, data: Found) -> None:
        self._admin, self._turns, self._look = admin, data.turns, data.look
        super().__init__(data.view, kept)
        self._content = ui.element("div").classes("stack")
        self.fill()
        self.add_bar()

    def document(self, view: HookSettingsView) -> Document:
        """Return the part of the settings that the page changes."""
        settings = view.settings
        thresholds = {name: settings["thresholds"][name] for name in THRESHOLDS}
        return {"mode": settings["mode"], "notify": settings["notify"], "thresholds": thresholds}

    def fill(self) -> None:
        """Build everything above the bar."""
        self._content.clear()
        with self._content:
            if self.view.problems:
                notice("warn", "A settings file has errors", *self.view.problems)
            with panel("Mode"):
                ui.radio(
                    MODES,
                    value=self.draft.get("mode"),
                    on_change=lambda event: self.draft.set("mode", event.value),
                ).props('aria-label="Mode"')
                words(self._origin("mode"), "p", "help")
                ui.switch(
                    _NOTIFY,
                    value=self.draft.get("notify"),
                    on_change=lambda event: self.draft.set("notify", event.value),
                )
            with panel("Thresholds"):
                words(_SCALE, "p", "soft")
                for name in THRESHOLDS:
                    self._threshold(name)
                self._effect("All sliders together would", THRESHOLDS)
            with panel("Second look"):
                for line in self._look:
                    words(f"{line[0].upper()}{line[1:]}", "p", "wrap")
            self._file_panel()

    def _threshold(self, name: str) -> None:
        path = f"thresholds.{name}"
        title, text = THRESHOLDS[name]
        NamedSlider(
            title,
            self.draft.get(path),
            high=100,
            step=1,
            digits=0,
            help_text=f"{text} {self._origin(path)}",
            on_change=lambda value: self.draft.set(path, int(value)),
        )

        self._effect("Would", [name])

    def _effect(self, lead: str, names: Collection[str]) -> None:
        """Say what the typed values of these thresholds would have made of the kept turns."""
        said = words("", "p", "effect").props("role=status")

        def show() -> None:
            stored, typed = self.draft.stored["thresholds"], self.draft.typed["thresholds"]
            limits = {**stored, **{name: typed[name] for name in names}}
            counts = count(self._turns, limits, self.draft.get("mode"))
            moved = sum(stored[name] != typed[name] for name in names)
            # with fewer moved the line of a slider says it already
            told = counts.turns and (len(names) == 1 or moved > 1)
            said.text = (
                f"{lead} stop {counts.stopped} and report {counts.reported} of the last "
                f"{counts.turns} turn{'s' if counts.turns > 1 else ''}."
                if told
                else ""
            )

        self.draft.listen(show)
        show()

    def _origin(self, path: str) -> str:
        origin = self.view.origins.get(path, "default")
        if origin == "default":
            return "Default."
        return "Set on this page." if origin.startswith("admin") else f"Set in {origin}."

    def _file_panel(self) -> None:
        """Say where the settings are kept, and offer to reset what was set here."""
        view = self.view
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
        await self.store(dict.fromkeys(self.view.admin))

    async def fetch(self) -> HookSettingsView:
        """Return the settings as they are by now."""
        return await ask(self._admin.hook.get)

    async def write(self, changes: Document) -> HookSettingsView:
        """Write changes to admin.toml."""
        version = str(self.draft.version)
        return await ask(self._admin.hook.save, changes, who=who(), version=version)

    def saved(self) -> None:
        """Say from when on the settings hold."""
        if self.view.problems:
            self.say_problem("Saved, but no turn is checked", "\n".join(self.view.problems))
        elif self.view.late:
            self.say_problem("Saved, but sessions that run keep the old settings", self.view.late)
        else:
            say("Saved. Applies from the next turn.")
