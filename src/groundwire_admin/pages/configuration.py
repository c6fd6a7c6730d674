"""The configuration page: how confidence is calculated, per environment and profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from nicegui import ui

from groundwire.config.choices import ALL, KEY
from groundwire.config.judge_models import JudgeModel
from groundwire.errors import ConflictError, GroundwireError
from groundwire_admin.pages.draft import Draft, differences
from groundwire_admin.pages.frame import Route, choice, frame, who
from groundwire_admin.pages.judge_panel import judge_panel
from groundwire_admin.pages.kept import Kept
from groundwire_admin.pages.load import ask, load
from groundwire_admin.pages.panels import (
    cost_panel,
    discard_prices,
    formula_panel,
    formula_problem,
    hybrid_panel,
    method_panel,
    typed_prices,
)
from groundwire_admin.pages.prompt_editor import PromptEditor
from groundwire_admin.pages.save_bar import SaveBar
from groundwire_admin.pages.states import notice, say
from groundwire_admin.pages.text import chip, day, words
from groundwire_admin.pages.try_it import TryIt
from groundwire_admin.service import Admin, Answer
from groundwire_admin.service.configuration import ConfigurationView
from groundwire_admin.service.prompts import PromptView
from groundwire_admin.service.scored import ScoredView

LEAD = "How the confidence of an answer is calculated in each environment."


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route("/")
    async def page(environment: str = ALL, profile: str = "") -> None:
        with frame("/", "Confidence", LEAD):
            kept = Drafts(
                Kept(f"calculation {environment}/{profile}"),
                Kept("prompt"),
                Kept("sample"),
                Kept("price"),
            )
            await load(
                "the configuration",
                partial(_fetch, admin, environment, profile, kept),
                lambda found: ConfigurationPage(admin, found, kept).build(),
            )


class Drafts(NamedTuple):
    """What this browser keeps of what was typed; only the changes are those of one environment."""

    changes: Kept
    prompt: Kept
    sample: Kept
    price: Kept


class Found(NamedTuple):
    """What the page shows."""

    view: ConfigurationView
    profiles: list[ConfigurationView]
    versions: list[PromptView]
    models: Mapping[tuple[str, str], JudgeModel]


async def _fetch(admin: Admin, environment: str, profile: str, kept: Drafts) -> Found:
    for one in kept:
        await one.read()
    return Found(
        await ask(admin.configuration.get, environment, profile),
        await ask(admin.configuration.profiles),
        await ask(admin.prompts.versions),
        await ask(admin.models.known),
    )


class ConfigurationPage:
    """One visit of the page: a draft, the panels that change it, and the bar that saves it."""

    def __init__(self, admin: Admin, found: Found, kept: Drafts) -> None:
        self._admin, self._found, self._kept = admin, found, kept
        self._view, self._models = found.view, found.models
        self._draft = Draft(found.view.config[KEY], found.view.version)
        self._draft.restore(kept.changes.typed)

    def build(self) -> None:
        """Add everything below the title."""
        draft = self._draft
        self._place(self._found.profiles)
        if self._view.problems:
            title = "The stored configuration is not valid. The defaults are in effect."
            notice("warn", title, *self._view.problems)
        with ui.element("div").classes("two"):
            with ui.element("div").classes("stack"):
                self._panels = ui.element("div").classes("stack")
                editor = ui.element("div").classes("stack")
            with ui.element("div").classes("stack"):
                self._cost = ui.element("div").classes("stack")
                sample = TryIt(self._score, self._kept.sample)
        with editor:
            self._editor = PromptEditor(
                self._admin,
                draft,
                self._found.versions,
                lambda: sample.answer,
                self._kept.prompt,
            )
        self._fill()
        self._bar = SaveBar(
            draft,
            self._kept.changes,
            save=self._save,
            discard=self._discard,
            further=self._further,
            problem=lambda: formula_problem(draft),
        )

    def _further(self) -> list[str]:
        """Return what is unsaved outside of the draft, by what it is called."""
        return [*self._editor.unsaved, *(["price"] if typed_prices(self._kept.price) else [])]

    def _place(self, stored: Sequence[ConfigurationView]) -> None:
        """Add the choice of environment and profile, and what is shown now."""
        view = self._view
        names = (ALL, view.environment, *(one.environment for one in stored))
        own = [one for one in stored if one.environment == view.environment]
        with ui.element("div").classes("line place"):
            shown = {name: "All environments" if name == ALL else name for name in names}
            choice("Environment", shown, view.environment, _address)
            if own:
                profiles = {one.profile: one.profile for one in own}
                choice("Profile", profiles, view.profile, partial(_address, view.environment))
            self._state = ui.element("div").classes("line")
        self._show_state()

    def _show_state(self) -> None:
        view = self._view
        self._state.clear()
        with self._state:
            if view.source != view.environment:
                chip(f"inherited from {view.source}", "info")
            elif view.active:
                chip("active", "good")
            else:
                chip("not active", "warn")
                ui.button("Activate", on_click=self._activate).props("outline dense")
            saved = f"Version {view.version}, {day(view.updated_at)}, by {view.updated_by}"
            words(saved if view.version else "", classes="soft small")

    def _fill(self) -> None:
        """Build the panels from the draft; the editor and the sample stay as they are."""
        draft = self._draft
        with self._panels:
            method_panel(draft)
            hybrid_panel(draft)
            judge_panel(draft, self._list_models)
            formula_panel(draft)
        with self._cost:
            cost_panel(draft, self._price, self._save_price, self._kept.price)

    def _rebuild(self) -> None:
        self._draft.silence()
        self._panels.clear()
        self._cost.clear()
        self._bar.clear()
        self._fill()
        self._editor.follow()
        self._bar.follow()
        self._show_state()

    def _price(self, provider: str, model: str) -> float | None:
        known = self._models.get((provider, model))
        return known.estimate if known else None

    async def _save_price(self, provider: str, model: str, dollars: float | None) -> None:
        """Keep the price of a judgement by a model; None for one that is not known."""
        try:
            prices = await ask(self._admin.models.prices)
            rows = [
                one for one in prices.models if (one["provider"], one["value"]) != (provider, model)
            ]
            known = self._models.get((provider, model))
            row = known.model_dump(mode="json") if known else {"provider": provider, "value": model}
            by_tokens = dict.fromkeys(("input_per_million", "output_per_million"))
            rows.append({**row, **by_tokens, "per_query": dollars})
            await ask(self._admin.models.save_prices, rows, who=who(), version=prices.version)
            self._models = await ask(self._admin.models.known)
        except GroundwireError as error:
            self._bar.problems("Price not saved", str(error))
        else:
            say(f"Price of {model} saved")

    async def _list_models(self, provider: str) -> list[dict[str, str]]:
        return [one.model_dump() for one in await ask(self._admin.models.of, provider)]

    async def _score(self, answer: Answer) -> ScoredView:
        """Score a sample with the settings and the prompt as they are typed."""
        view = self._view
        return await self._admin.samples.try_out(
            answer,
            changes=self._draft.changes(),
            environment=view.environment,
            profile=view.profile if view.version else "",
            prompt=self._editor.text,
        )

    async def _save(self) -> None:
        view, draft = self._view, self._draft
        profile = view.profile if view.version else ""
        try:
            self._view = await ask(
                self._admin.configuration.save,
                {KEY: draft.changes()},
                who=who(),
                environment=view.environment,
                profile=profile,
                version=int(draft.version),
            )
        except ConflictError as error:
            await self._conflict(str(error))
        except GroundwireError as error:
            self._bar.problems("Not saved", str(error))
        else:
            draft.take(self._view.config[KEY], self._view.version)
            self._bar.clear()
            draft.tell()
            self._show_state()
            say(f"Saved as version {self._view.version}")

    async def _conflict(self, text: str) -> None:
        view, draft = self._view, self._draft
        try:
            profile = view.profile if view.version else ""
            now = await ask(self._admin.configuration.get, view.environment, profile)
        except GroundwireError as error:
            self._bar.problems("Not saved", f"{text}\n{error}")
            return
        document, version = now.config[KEY], now.version

        def keep() -> None:
            self._view = now
            draft.rebase(document, version)
            self._rebuild()

        def give_up() -> None:
            self._view = now
            draft.take(document, version)
            self._rebuild()

        self._bar.conflict(text, differences(document, draft.typed), keep, give_up)

    def _discard(self) -> None:
        self._draft.take(self._draft.stored, self._draft.version)
        self._editor.discard()
        discard_prices(self._kept.price)
        self._rebuild()

    async def _activate(self) -> None:
        view = self._view
        try:
            self._view = await ask(
                self._admin.configuration.activate,
                view.environment,
                view.profile,
                who=who(),
                version=view.version,
            )
        except GroundwireError as error:
            self._bar.problems("Not activated", str(error))
            return
        self._draft.version = self._view.version
        self._show_state()
        say(f"Profile {view.profile} is now active in {view.environment}")


def _address(environment: str, profile: str = "") -> str:
    chosen = {"environment": environment, "profile": profile}
    return "/?" + urlencode({key: value for key, value in chosen.items() if value})
