"""The prompt of the judge: load, edit, preview, save as a new version, activate (R002-32)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from groundwire.base.errors import GroundwireError
from groundwire_server.admin.pages.elements import Kept, ask, day, heading, notice, words
from groundwire_server.admin.pages.form import Draft
from groundwire_server.admin.pages.frame import who
from groundwire_server.admin.pages.panels import only_for, panel
from groundwire_server.admin.service import Admin, Answer
from groundwire_server.admin.service.prompts import PromptView, warning_of

ALERT = (
    "This prompt is used by the LLM to evaluate confidence. Edit to customize evaluation criteria."
)
PLACEHOLDER = "Evaluate your confidence in the response you just generated..."
# keys of what is kept in the browser
_TEXT, _NOTES, _ASIDE, _NOW = "text", "notes", "set aside", "activate"
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
        kept: Kept,
    ) -> None:
        self._admin, self._draft, self._sample, self._kept = admin, draft, sample, kept
        self._shown = ""  # the text of the version that was loaded last
        # texts that were typed before another version was loaded, the newest last
        self._aside: list[str] = kept.typed.get(_ASIDE, [])
        self._versions = {one.id: one for one in versions}
        with panel("Confidence Evaluation Prompt") as self._box:
            self._current = words("", "p", "soft")
            with notice("info", ALERT):
                words(f"Template variables: {', '.join(VARIABLES)}")
            with ui.element("div").classes("line prompt-choice"):
                self._choice = ui.select({}, label="Version", on_change=self._chose)
                self._choice.props("outlined dense")
                ui.button("Load Active Prompt", on_click=self._load_active).props("outline")
                self._activate = ui.button("Activate this version", on_click=self._do_activate)
                self._activate.props("outline")
            with notice("info", "Your unsaved text was set aside.") as self._aside_notice:
                restore = ui.button("Restore my text", on_click=self._restore)
                restore.props("outline").classes("self-start")
            self._text = ui.textarea("Prompt Content", placeholder=PLACEHOLDER)
            self._text.props(f"outlined rows={ROWS}").classes("prompt-text")
            self._notes = ui.input("Notes", on_change=self._typed).props("outlined dense")
            self._now = ui.checkbox("Activate immediately", on_change=self._typed)
            with ui.element("div").classes("line"):
                ui.button("Preview with Sample", on_click=self._preview).props("outline")
                self._save = ui.button("Save as New Version", on_click=self._create)
                self._save.props("unelevated")
            self._result = ui.element("div").classes("stack").props("aria-live=polite")
        self._show_versions()
        self._load_active()
        self._text.value = kept.typed.get(_TEXT) or self._text.value
        self._notes.value = kept.typed.get(_NOTES, "")
        self._now.value = kept.typed.get(_NOW, False)
        self._show_buttons()
        self._text.on_value_change(self._typed)

    def follow(self) -> None:
        """Show the editor while a method is chosen that asks the judge."""
        only_for(self._draft, self._box, "llm", "hybrid", "selective")

    @property
    def text(self) -> str:
        """The prompt as it is typed."""
        return self._text.value or ""

    @property
    def unsaved(self) -> list[str]:
        """What is typed and not saved, by what it is called."""
        names = {_TEXT: "prompt", _ASIDE: "prompt", _NOTES: "notes", _NOW: "activation"}
        return list(dict.fromkeys(names[key] for key in self._document()))

    def _document(self) -> dict[str, Any]:
        text = self.text if self.text != self._shown else ""
        typed = {_TEXT: text, _NOTES: self._notes.value, _ASIDE: self._aside, _NOW: self._now.value}
        return {key: value for key, value in typed.items() if value}

    def discard(self) -> None:
        """Go back to the text of the version that was loaded last."""
        self._aside.clear()
        self._result.clear()
        self._text.value, self._notes.value, self._now.value = self._shown, "", False
        self._typed()

    def _typed(self) -> None:
        self._kept.keep(self._document())
        self._show_buttons()
        self._draft.tell()

    def _take(self, version: PromptView) -> None:
        """Show the text of a version; what was typed before can be restored."""
        typed = self._document().get(_TEXT)
        if typed and typed != version.content:
            self._aside.append(typed)
        self._shown = self._text.value = version.content

    def _restore(self) -> None:
        """Take the newest text that was set aside; one typed since then is set aside, too."""
        text = self._aside.pop()
        typed = self._document().get(_TEXT)
        if typed:
            self._aside.insert(0, typed)
        self._text.value = text

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
        self._aside_notice.set_visibility(bool(self._aside))
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
            self._problem("Not activated", error)
            return
        chosen = self._versions[self._choice.value]
        self._say("good", f"v{chosen.version} is now active.")

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
            self._problem("Not saved", error)
            return
        self._shown = made.content
        self._choice.value = made.id
        self._notes.value, self._now.value = "", False
        self._typed()
        state = "Saved and activated" if made.active else "Saved, not active yet:"
        self._say("good", f"{state} v{made.version}", warning_of(made.missing_variables))

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
            self._problem("No preview", error)
            return
        self._result.clear()
        with self._result:
            if shown.warning:
                notice("warn", shown.warning)
            if shown.truncated:
                words(f"Shortened: {', '.join(shown.truncated)}.", "p", "help")
            heading(3, "Preview")
            words(shown.text, "pre", "message mono small").props("tabindex=0")

    def _problem(self, title: str, error: GroundwireError) -> None:
        self._say("bad", title, str(error))

    def _say(self, tone: str, title: str, *lines: str) -> None:
        self._result.clear()
        with self._result:
            notice(tone, title, *filter(None, lines))
