"""The configuration page: how confidence is calculated, per environment and profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from nicegui import ui

from groundwire.base.errors import GroundwireError
from groundwire.settings.choices import ALL, KEY
from groundwire.settings.judge_models import JudgeModel
from groundwire_server.admin.pages.elements import Kept, ask, chip, day, load, notice, say, words
from groundwire_server.admin.pages.form import Document, Form
from groundwire_server.admin.pages.frame import Route, choice, frame, who
from groundwire_server.admin.pages.panels import (
    cost_panel,
    discard_prices,
    formula_panel,
    hybrid_panel,
    judge_panel,
    method_panel,
    selective_panel,
    typed_prices,
    weights_problem,
)
from groundwire_server.admin.pages.prompt_editor import PromptEditor
from groundwire_server.admin.pages.try_it import TryIt
from groundwire_server.admin.service import Admin, Answer
from groundwire_server.admin.service.configuration import ConfigurationView
from groundwire_server.admin.service.prompts import PromptView
from groundwire_server.admin.service.scored import ScoredView

LEAD = "How the confidence of an answer is calculated in each environment."


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route("/")
    async def page(environment: str = ALL, profile: str = "") -> None:
        with frame("/", "Confidence", LEAD):
            await load(
                "the configuration",
                partial(_fetch, admin, environment, profile),
                lambda data: ConfigurationPage(admin, data).build(),
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
    kept: Drafts


async def _fetch(admin: Admin, environment: str, profile: str) -> Found:
    view = await ask(admin.configuration.get, environment, profile)
    # the profile has its name here also where the address has none
    names = (f"calculation {environment}/{view.profile}", "prompt", "sample", "price")
    kept = Drafts(*map(Kept, names))
    for one in kept:
        await one.read()
    return Found(
        view,
        await ask(admin.configuration.profiles),
        await ask(admin.prompts.versions),
        await ask(admin.models.known),
        kept,
    )


class ConfigurationPage(Form[ConfigurationView]):
    """One visit of the page: a draft, the panels that change it, and the bar that saves it."""

    def __init__(self, admin: Admin, data: Found) -> None:
        self._admin, self._data = admin, data
        self._drafts, self._models = data.kept, data.models
        super().__init__(data.view, data.kept.changes)

    def build(self) -> None:
        """Add everything below the title."""
        self._place(self._data.profiles)
        if self.view.problems:
            title = "The stored configuration is not valid. The defaults are in effect."
            notice("warn", title, *self.view.problems)
        with ui.element("div").classes("two"):
            with ui.element("div").classes("stack"):
                self._panels = ui.element("div").classes("stack")
                editor = ui.element("div").classes("stack")
            with ui.element("div").classes("stack"):
                self._cost = ui.element("div").classes("stack")
                sample = TryIt(self._score, self._drafts.sample)
        with editor:
            self._editor = PromptEditor(
                self._admin,
                self.draft,
                self._data.versions,
                lambda: sample.answer,
                self._drafts.prompt,
            )
        self.fill()
        self.add_bar()

    def document(self, view: ConfigurationView) -> Document:
        """Return the calculation."""
        calculation: Document = view.config[KEY]
        return calculation

    def problem(self) -> str:
        """Return what is wrong with the weights or the grey zone, or ""."""
        return weights_problem(self.draft)

    def further(self) -> list[str]:
        """Return what is unsaved of prompt and prices."""
        return [*self._editor.unsaved, *(["price"] if typed_prices(self._drafts.price) else [])]

    def _place(self, stored: Sequence[ConfigurationView]) -> None:
        """Add the choice of environment and profile, and what is shown now."""
        view = self.view
        names = (ALL, view.environment, *(one.environment for one in stored))
        own = [one for one in stored if one.environment == view.environment]
        with ui.element("div").classes("line place"):
            shown = {name: _environment(name) for name in names}
            choice("Environment", shown, view.environment, _address)
            if own:
                profiles = {one.profile: one.profile for one in own}
                choice("Profile", profiles, view.profile, partial(_address, view.environment))
            self._state = ui.element("div").classes("line")

    def _show_place(self) -> None:
        view = self.view
        self._state.clear()
        with self._state:
            if view.source != view.environment:
                chip(f"inherited from {_environment(view.source)}", "info")
            elif view.active:
                chip("active", "good")
            else:
                chip("not active", "warn")
                ui.button("Activate", on_click=self._activate).props("outline dense")
            saved = f"Version {view.version}, {day(view.updated_at)}, by {view.updated_by}"
            words(saved if view.version else "", classes="soft small")

    def fill(self) -> None:
        """Build the panels from the draft; the editor and the sample stay as they are."""
        self._show_place()
        self._panels.clear()
        self._cost.clear()
        with self._panels:
            method_panel(self.draft)
            hybrid_panel(self.draft)
            selective_panel(self.draft)
            judge_panel(self.draft, self._list_models)
            formula_panel(self.draft)
        with self._cost:
            cost_panel(self.draft, self._price, self._save_price, self._drafts.price)
        self._editor.follow()

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
            self.say_problem("Price not saved", str(error))
        else:
            say(f"Price of {model} saved")

    async def _list_models(self, provider: str) -> list[dict[str, str]]:
        return [one.model_dump() for one in await ask(self._admin.models.of, provider)]

    async def _score(self, answer: Answer) -> ScoredView:
        """Score a sample with the settings and the prompt as they are typed."""
        view = self.view
        return await self._admin.samples.try_out(
            answer,
            changes=self.draft.changes(),
            environment=view.environment,
            profile=self._profile,
            prompt=self._editor.text,
        )

    @property
    def _profile(self) -> str:
        """The name of the profile; "" where the environment has none of its own yet."""
        return self.view.profile if self.view.version else ""

    async def fetch(self) -> ConfigurationView:
        """Return the configuration as it is by now."""
        return await ask(self._admin.configuration.get, self.view.environment, self._profile)

    async def write(self, changes: Document) -> ConfigurationView:
        """Store changes as a new version."""
        return await ask(
            self._admin.configuration.save,
            {KEY: changes},
            who=who(),
            environment=self.view.environment,
            profile=self._profile,
            version=int(self.draft.version),
        )

    def saved(self) -> None:
        """Say which version it is."""
        say(f"Saved as version {self.view.version}")

    def discard(self) -> None:
        """Go back to what is stored, of prompt and prices, too."""
        self._editor.discard()
        discard_prices(self._drafts.price)
        super().discard()

    async def _activate(self) -> None:
        view = self.view
        try:
            self.view = await ask(
                self._admin.configuration.activate,
                view.environment,
                view.profile,
                who=who(),
                version=view.version,
            )
        except GroundwireError as error:
            self.say_problem("Not activated", str(error))
            return
        self.draft.version = self.view.version
        self._show_place()
        say(f"Profile {view.profile} is now active in {view.environment}")


def _environment(name: str) -> str:
    return "All environments" if name == ALL else name


def _address(environment: str, profile: str = "") -> str:
    chosen = {"environment": environment, "profile": profile}
    return "/?" + urlencode({key: value for key, value in chosen.items() if value})
