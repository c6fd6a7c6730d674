"""The panel of the judge: provider, model, temperature, length, time (R002-30)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from nicegui import background_tasks, ui

from groundwire.config.choices import DEFAULT_MODELS
from groundwire.config.judge_models import PROVIDER_LABELS
from groundwire_admin.pages.draft import Draft
from groundwire_admin.pages.panels import only_for, panel
from groundwire_admin.pages.text import words
from groundwire_admin.pages.weights import NamedSlider

TEMPERATURE_TEXT = "Lower = more deterministic, Higher = more creative"
TOKENS_TEXT = "Limit response length (confidence score + reasoning)"
TIMEOUT_TEXT = "API call timeout (falls back to formula on timeout)"
#: Ranges of the page; the configuration itself allows more (A002-9).
TOKENS = (50, 500)
MILLISECONDS = (500, 5000)

Models = Callable[[str], Awaitable[Sequence[Mapping[str, str]]]]


def judge_panel(draft: Draft, models: Models) -> None:
    """Add the panel; ``models`` gives value, label and cost of a provider's models."""
    with panel("LLM settings") as box:
        _model_choice(draft, models)
        NamedSlider(
            "Temperature",
            draft.get("llm_settings.temperature"),
            step=0.1,
            digits=1,
            help_text=TEMPERATURE_TEXT,
            on_change=lambda value: draft.set("llm_settings.temperature", value),
        )
        with ui.element("div").classes("pair"):
            whole_number(draft, "llm_settings.max_tokens", "Max Tokens", TOKENS, TOKENS_TEXT)
            whole_number(
                draft, "llm_settings.timeout_ms", "Timeout (ms)", MILLISECONDS, TIMEOUT_TEXT
            )
    only_for(draft, box, "llm", "hybrid")


def whole_number(
    draft: Draft, path: str, name: str, bounds: tuple[int, int], help_text: str = ""
) -> ui.number:
    """Add a field for a whole number within ``bounds``.

    A stored value beyond them, set elsewhere, is left as it is until it is changed.
    """
    low, high = bounds

    def problem(value: float | None) -> str | None:
        if value is not None and value == draft.get_stored(path):
            return None
        if value is None or value != int(value) or not low <= value <= high:
            return f"{name}: allowed: a whole number from {low} to {high}"
        return None

    def typed() -> None:
        value = field.value
        if value is not None:  # what is wrong is kept, too, and cannot be saved
            draft.set(path, int(value) if value == int(value) else value)
        draft.complain(path, problem(value))

    field = ui.number(name, value=draft.get(path), validation=problem, on_change=typed)
    field.props(f'outlined hint="{help_text}" inputmode=numeric')
    field.validate()
    draft.complain(path, problem(field.value))
    return field


def _model_choice(draft: Draft, models: Models) -> None:
    costs: dict[str, str] = {}
    with ui.element("div").classes("pair"):
        provider = ui.select(
            PROVIDER_LABELS, value=draft.get("llm_settings.provider"), label="LLM Provider"
        ).props("outlined")
        model = ui.select([], label="Model").props("outlined")
    problem = words("", "p", "help").props("role=alert")

    async def load() -> None:
        asked = provider.value
        model.props('loading label="Model (loading ...)"').disable()
        problem.text = ""
        try:
            choices = list(await models(asked))
        except Exception:
            choices = []
            problem.text = "The list of models could not be loaded; it is empty."
        if asked != provider.value:  # another one was chosen in the meantime
            return
        costs.clear()
        costs.update({one["value"]: one["cost"] for one in choices})
        options = {one["value"]: f"{one['label']} - {one['cost']}" for one in choices}
        chosen = draft.get("llm_settings.model")
        if choices and chosen not in options:
            options[chosen] = f"{chosen} - not in the list"
        model.set_options(options, value=chosen if chosen in options else None)
        model.props(remove="loading").props('label="Model"').enable()
        show_cost()

    def show_cost() -> None:
        chosen = draft.get("llm_settings.model")
        model.props["hint"] = f"Cost estimate: {costs.get(chosen, 'unknown')}"

    def chose_provider() -> None:
        draft.set("llm_settings.model", DEFAULT_MODELS[provider.value])
        draft.set("llm_settings.provider", provider.value)
        background_tasks.create(load(), name="models", context=model)

    def chose_model() -> None:
        if model.value and model.value != draft.get("llm_settings.model"):
            draft.set("llm_settings.model", model.value)
            show_cost()

    provider.on_value_change(chose_provider)
    model.on_value_change(chose_model)
    background_tasks.create(load(), name="models", context=model)
