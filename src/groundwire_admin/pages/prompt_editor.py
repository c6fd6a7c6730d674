"""The prompt of the judge: load, edit, preview, save as a new version, activate (R002-32)."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from groundwire.errors import GroundwireError
from groundwire_admin.pages.calls import ask
from groundwire_admin.pages.draft import Draft
from groundwire_admin.pages.frame import who
from groundwire_admin.pages.panels import only_for, panel
from groundwire_admin.pages.states import notice
from groundwire_admin.pages.text import day, heading, words
from groundwire_admin.service import Admin, Answer
from groundwire_admin.service.prompts import PromptView

PLACEHOLDER = "Evaluate your confidence in the response you just generated..."
VARIABLES = ("{query}", "{context}", "{response}")
ROWS = 12


class PromptEditor:
    """The editor; what was typed stays through every error."""

    def __init__(
        self,
        admin: Admin,
        draft: Draft,
        versions: list[PromptView],
        sample: Callable[[], Answer],
        typed: str,
    ) -> None:
        self._admin, self._draft, self._sample = admin, draft, sample
        self._shown = ""  # the text of the version that was loaded last
        self._versions = {one.id: one for one in versions}
        with panel("Confidence Evaluation Prompt") as self._box:
            self._current = words("", "p", "soft")
            with notice("info", "Available variables"):
                words(" ".join(VARIABLES), classes="mono")
                words("Each is replaced by the query, its context and the response.", "span")
            with ui.element("div").classes("line prompt-choice"):
                self._choice = ui.select({}, label="Version", on_change=self._chose)
                self._choice.props("outlined dense")
                ui.button("Load Active Prompt", on_click=self._load_active).props("outline")
                self._activate = ui.button("Activate this version", on_click=self._do_activate)
                self._activate.props("outline")
            self._text = ui.textarea("Prompt Content", placeholder=PLACEHOLDER)
            self._text.props(f"outlined rows={ROWS}").classes("prompt-text")
            self._notes = ui.input("Notes for a new version").props("outlined dense")
            self._now = ui.checkbox("Activate it immediately")
            with ui.element("div").classes("line"):
                ui.button("Preview with Sample", on_click=self._preview).props("outline")
                self._save = ui.button("Save as New Version", on_click=self._create)
                self._save.props("unelevated")
            self._result = ui.element("div").classes("stack").props("aria-live=polite")
        self.follow()
        self._show_versions()
        self._load_active()
        self._text.value = typed or self._text.value
        self._show_buttons()
        self._text.on_value_change(self._typed)

    def follow(self) -> None:
        """Show the editor while a method is chosen that asks the judge."""
        only_for(self._draft, self._box, "llm", "hybrid")

    @property
    def text(self) -> str:
        """The prompt as it is typed."""
        return self._text.value or ""

    @property
    def unsaved(self) -> str:
        """The text when it is no version's, "" otherwise."""
        return self.text if self.text != self._shown else ""

    def discard(self) -> None:
        """Go back to the text of the version that was loaded last."""
        self._text.value = self._shown

    def _typed(self) -> None:
        self._show_buttons()
        self._draft.tell()

    def _take(self, version: PromptView) -> None:
        """Show the text of a version; what was typed before can be brought back."""
        typed = self.unsaved
        self._shown = version.content
        self._text.value = version.content
        if typed and typed != version.content:
            self._say("info", "Your own text was set aside.")
            with self._result:
                ui.button("Bring it back", on_click=lambda: self._bring_back(typed)).props(
                    "outline"
                )

    def _bring_back(self, text: str) -> None:
        self._text.value = text
        self._result.clear()

    @property
    def _active(self) -> PromptView | None:
        return next((one for one in self._versions.values() if one.active), None)

    def _show_versions(self) -> None:
        options = {
            one.id: f"v{one.version}{' (active)' if one.active else ''}"
            + (f" - {one.notes}" if one.notes else "")
            for one in self._versions.values()
        }
        self._choice.set_options(options)
        active = self._active
        if active is None:
            self._current.text = "No version is active."
            return
        self._current.text = (
            f"Current version: v{active.version} | Last updated: {day(active.updated_at)}"
            f" | Usage: {active.usage_count:,} evaluations"
        )

    def _load_active(self) -> None:
        active = self._active
        if active is not None:
            if self._choice.value == active.id:
                self._take(active)
            self._choice.value = active.id
        self._show_buttons()

    def _chose(self) -> None:
        chosen = self._versions.get(self._choice.value)
        if chosen is not None:
            self._take(chosen)
        self._show_buttons()

    def _show_buttons(self) -> None:
        chosen = self._versions.get(self._choice.value)
        text = self.text
        self._save.set_enabled(bool(text.strip()))
        unchanged = chosen is not None and text == chosen.content
        self._activate.set_enabled(unchanged and chosen is not None and not chosen.active)

    async def _do_activate(self) -> None:
        try:
            await ask(self._admin.prompts.activate, self._choice.value, who=who())
            await self._reload()
        except GroundwireError as error:
            self._problem("The version was not activated", error)
            return
        chosen = self._versions[self._choice.value]
        self._say("good", f"Version v{chosen.version} is active.")

    async def _create(self) -> None:
        try:
            made = await ask(
                self._admin.prompts.create,
                self.text,
                notes=self._notes.value or "",
                activate=self._now.value,
                who=who(),
            )
            await self._reload()
        except GroundwireError as error:
            self._problem("No version was saved", error)
            return
        self._shown = made.content
        self._choice.value = made.id
        self._draft.tell()
        self._notes.value = ""
        state = "saved and active" if made.active else "saved; it is not active yet"
        self._say("good", f"Version v{made.version} is {state}.", missing(made.missing_variables))

    async def _reload(self) -> None:
        versions = await ask(self._admin.prompts.versions)
        self._versions = {one.id: one for one in versions}
        self._show_versions()
        self._show_buttons()

    async def _preview(self) -> None:
        try:
            answer = self._sample()
            shown = await ask(
                self._admin.prompts.preview,
                self.text,
                query=answer.query,
                context="\n\n".join(str(one["content"]) for one in answer.context_docs),
                response=answer.response,
            )
        except GroundwireError as error:
            self._problem("There is no preview", error)
            return
        self._result.clear()
        with self._result:
            if shown.warning:
                notice("warn", shown.warning)
            if shown.truncated:
                words(f"Cut to the judge's limits: {', '.join(shown.truncated)}.", "p", "help")
            heading(3, "What the judge is sent")
            words(shown.text, "pre", "message mono small").props("tabindex=0")

    def _problem(self, title: str, error: GroundwireError) -> None:
        self._say("bad", title, str(error))

    def _say(self, tone: str, title: str, *lines: str) -> None:
        self._result.clear()
        with self._result:
            notice(tone, title, *filter(None, lines))


def missing(variables: list[str]) -> str:
    """Return a sentence about variables that a prompt does not use, or ""."""
    if not variables:
        return ""
    names = ", ".join(f"{{{name}}}" for name in variables)
    return f"It does not use {names}; the judge is sent these below the text."
