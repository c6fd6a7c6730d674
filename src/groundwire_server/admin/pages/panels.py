"""The panels of the configuration page: method, weights, judge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from nicegui import background_tasks, ui
from nicegui.elements.mixins.text_element import TextElement

from groundwire.settings.choices import DEFAULT_MODELS
from groundwire.settings.judge_models import (
    METHOD_LABELS,
    MONTHLY_QUERIES,
    PRICES_AS_OF,
    PROVIDER_LABELS,
    monthly_cost,
)
from groundwire_confidence.calculation import sums_to_one
from groundwire_server.admin.pages.elements import Kept, heading, words
from groundwire_server.admin.pages.form import Draft

DIGITS = 2


class NamedSlider:
    """A slider from ``low`` to ``high`` in steps, its name and its value above, help below.

    The browser's own: keyboard and screen readers know it.
    """

    def __init__(  # noqa: PLR0913
        self,
        name: str,
        value: float,
        *,
        low: float = 0.0,
        high: float = 1.0,
        step: float = 0.05,
        digits: int = DIGITS,
        help_text: str = "",
        on_change: Callable[[float], None] | None = None,
    ) -> None:
        self._name, self._digits, self._on_change = name, digits, on_change
        self._value = value
        with ui.element("div").classes("field"):
            with ui.element("div").classes("field-head").props('aria-hidden="true"'):
                words(name, classes="field-name")
                self._shown = words(self._text, classes="field-value")
            self._input = ui.element("input").props(
                f'type=range aria-label="{name}" min={low} max={high} step={step} value={value}'
            )
            if help_text:
                words(help_text, classes="help")
        # the browser keeps what the user does: an answer to an earlier move would take it back
        keep = f"mounted_app.elements[{self._input.id}].props.value = event.target.value"
        self._input.on(
            "input",
            lambda event: self._moved(float(event.args)),
            js_handler=f"(event) => {{ {keep}; emit(event.target.value) }}",
            throttle=0.05,
        )

    @property
    def value(self) -> float:
        """The value, rounded to the slider's digits: steps leave dust (1 - .9 is not .1)."""
        return self._value

    def set(self, value: float) -> None:
        """Move the slider, and tell whoever listens."""
        if self._take(round(value, self._digits)):
            self._input.props(f"value={self._value}")
            self._tell()

    def _moved(self, value: float) -> None:
        """Follow what the user did."""
        if self._take(round(value, self._digits)):
            with self._input.props.suspend_updates():
                self._input.props["value"] = self._value
            self._tell()

    def _take(self, value: float) -> bool:
        changed = value != self._value
        self._value = value
        self._shown.text = self._text
        return changed

    def _tell(self) -> None:
        if self._on_change:
            self._on_change(self._value)

    @property
    def _text(self) -> str:
        return f"{self._value:.{self._digits}f}"


class WeightPair:
    """Two weights that sum to 1: the other follows the one that is moved (R002-29)."""

    def __init__(
        self, names: tuple[str, str], first: float, on_change: Callable[[float, float], None]
    ) -> None:
        self._on_change = on_change
        with ui.element("div").classes("pair"):
            self.first = NamedSlider(
                names[0], first, on_change=lambda value: self._follow(self.second, value)
            )
            self.second = NamedSlider(
                names[1],
                round(1 - first, DIGITS),
                on_change=lambda value: self._follow(self.first, value),
            )

    def _follow(self, other: NamedSlider, value: float) -> None:
        other.set(1 - value)
        self._on_change(self.first.value, self.second.value)


HYBRID_TEXT = (
    "Hybrid mode calculates both formula and LLM scores, then combines them with "
    "configurable weights."
)
SELECTIVE_TEXT = (
    "The judge is asked only where the formula is unsure; its score counts there. Everywhere else "
    "the formula counts."
)
SAMPLE_TEXT = "Judged, too, and counted by the formula: shows what selecting misses"
BUDGET_TEXT = "When it is spent, the formula counts until the next month; 0 asks nobody"
ADJUST_TEXT = "Weights automatically adjust to sum to 1.0"
PRICES_TEXT = f"Shipped prices are as of {PRICES_AS_OF}. Check them against your provider's list."
BOTH_TEXT = "Note: Hybrid uses same LLM cost as LLM-only mode (both evaluate every query)"
_CALLS = {
    "formula": "(no LLM calls)",
    "llm": "(100% queries)",
    "hybrid": "(100% queries, combined scores)",
    "selective": "at most (grey zone and sample)",
}
_FORMULA = (
    ("similarity", "Similarity Weight"),
    ("source_quality", "Source Quality Weight"),
    ("response_length", "Response Length Weight"),
)


@contextmanager
def panel(title: str) -> Iterator[ui.element]:
    """Add a section with a heading."""
    with ui.element("section").classes("panel").props(f'aria-label="{title}"') as box:
        heading(2, title)
        yield box


def only_for(draft: Draft, box: ui.element, *methods: str) -> None:
    """Show ``box`` while one of ``methods`` is chosen; it keeps what was typed into it."""

    def show() -> None:
        box.set_visibility(draft.get("method") in methods)

    draft.listen(show)
    show()


def method_panel(draft: Draft) -> None:
    """Add the choice of the method (R002-28)."""
    with panel("Calculation method"):
        ui.radio(
            METHOD_LABELS,
            value=draft.get("method"),
            on_change=lambda event: draft.set("method", event.value),
        ).props('aria-label="Calculation method"')


def hybrid_panel(draft: Draft) -> None:
    """Add the two weights of the hybrid method (R002-29)."""

    def typed(formula: float, judge: float) -> None:
        draft.set("hybrid_settings.formula_weight", formula)
        draft.set("hybrid_settings.llm_weight", judge)

    with panel("Hybrid weights") as box:
        words(HYBRID_TEXT, "p", "soft")
        names = ("Formula Weight (Retrieval Quality)", "LLM Weight (Semantic Quality)")
        WeightPair(names, draft.get("hybrid_settings.formula_weight"), typed)
        words(ADJUST_TEXT, "p", "help")
    only_for(draft, box, "hybrid")


def selective_panel(draft: Draft) -> None:
    """Add when the selective method asks the judge, and what it may spend."""
    with panel("Grey zone") as box:
        words(SELECTIVE_TEXT, "p", "soft")
        with ui.element("div").classes("pair"):
            for key, name in (("low", "From formula score"), ("high", "Up to formula score")):
                slider(draft, f"selective_settings.{key}", name)
        slider(draft, "selective_settings.sample_share", "Sample beside it", SAMPLE_TEXT, 0.01)
        budget = ui.number(
            "Monthly budget",
            value=draft.get("selective_settings.monthly_budget"),
            min=0,
            on_change=lambda event: draft.set("selective_settings.monthly_budget", event.value),
        )
        budget.props(f'outlined prefix=$ hint="{BUDGET_TEXT}"')
    only_for(draft, box, "selective")


def slider(draft: Draft, path: str, name: str, help_text: str = "", step: float = 0.05) -> None:
    """Add a slider from 0 to 1 for a value of the draft."""
    NamedSlider(
        name,
        draft.get(path),
        step=step,
        help_text=help_text,
        on_change=lambda value: draft.set(path, value),
    )


def formula_panel(draft: Draft) -> None:
    """Add the three weights of the formula and their total (R002-31)."""

    with panel("Formula weights") as box:
        for key, name in _FORMULA:
            slider(draft, f"formula_weights.{key}", name)
        total = words("", "p", "total").props("role=status")

    def show() -> None:
        values = [draft.get(f"formula_weights.{key}") for key, _ in _FORMULA]
        total.text = f"Total: {sum(values):.2f} (must equal 1.0)"
        total.classes(**({"remove": "wrong"} if sums_to_one(*values) else {"add": "wrong"}))

    draft.listen(show)
    show()
    only_for(draft, box, "formula", "hybrid", "selective")


def weights_problem(draft: Draft) -> str:
    """Return what is wrong with the formula's weights or the grey zone, or ""."""
    low, high = (draft.get(f"selective_settings.{key}") for key in ("low", "high"))
    if low > high:
        return f"The grey zone begins at {low:.2f} and ends at {high:.2f}."
    if draft.get("selective_settings.monthly_budget") is None:
        return "The monthly budget is a number of dollars from 0 on."
    values = [draft.get(f"formula_weights.{key}") for key, _ in _FORMULA]
    if sums_to_one(*values):
        return ""
    return f"The formula weights sum to {sum(values):.2f}; they must equal 1.0."


#: Under this name the number of queries is kept; all others are prices.
_QUERIES = "queries"


def typed_prices(kept: Kept) -> list[str]:
    """Return the models, as provider/model, whose price was typed and not saved."""
    return [key for key in kept.typed if key != _QUERIES]


def discard_prices(kept: Kept) -> None:
    """Forget the prices that were typed and not saved."""
    for key in typed_prices(kept):
        del kept.typed[key]
    kept.keep(kept.typed)


def _keep_unless_stored(kept: Kept, key: str, value: float | None, stored: float | None) -> None:
    """Keep a typed value in the browser while it is not the stored one."""
    if value == stored:
        kept.typed.pop(key, None)
    else:
        kept.typed[key] = value
    kept.keep(kept.typed)


SavePrice = Callable[[str, str, float | None], Awaitable[None]]


def cost_panel(
    draft: Draft, price: Callable[[str, str], float | None], save_price: SavePrice, kept: Kept
) -> None:
    """Add the cost of a month (R002-33).

    ``price`` gives that of a judgement by a provider's model, ``save_price`` keeps another one.
    ``kept`` has what was typed and not saved: prices by provider and model, number of queries.
    """
    queries = kept.typed.get(_QUERIES, MONTHLY_QUERIES)
    with panel("Estimated Monthly Cost"):
        with ui.element("table").classes("grid"), ui.element("tbody"):
            cells = {method: _cost_row(name) for method, name in _METHODS.items()}
        based = words("", "p", "soft").props("role=status")
        number = ui.number("Queries per month", value=queries, min=0).props("outlined dense")
        words(BOTH_TEXT, "p", "help")
        with ui.element("div").classes("line place"):
            dollar = ui.number("Price per query", format="%.6f").props("outlined dense prefix=$")
            save = ui.button("Save price").props("outline")
        words(PRICES_TEXT, "p", "help")

    async def keep_price() -> None:
        await save_price(*judge(), dollar.value)
        show()
        note(price_key(), dollar.value, price(*judge()))

    save.on_click(keep_price)

    def judge() -> tuple[str, str]:
        return draft.get("llm_settings.provider"), draft.get("llm_settings.model")

    def price_key() -> str:
        return "/".join(judge())

    def note(key: str, value: float | None, stored: float | None) -> None:
        _keep_unless_stored(kept, key, value, stored)
        draft.tell()

    shown_price: tuple[str, str, float | None] | None = None

    def show() -> None:
        nonlocal shown_price
        model, one = judge()[1], price(*judge())
        now = (*judge(), one)
        if shown_price != now:  # else what is typed there stays
            shown_price = now
            dollar.value = kept.typed.get(price_key(), one)
            dollar.props["hint"] = model  # whose name may hold anything
        for method, (row, cell) in cells.items():
            row.classes(**{"add" if method == draft.get("method") else "remove": "chosen"})
            month = dollars(
                monthly_cost(
                    method, queries, one, draft.get("selective_settings.monthly_budget") or 0
                )
            )
            cell.text = f"{month}/month {_CALLS[method]}" if month != _UNKNOWN else month
        known = "" if one is not None else f". The price of {model} is unknown; set it below."
        based.text = f"Based on {queries:,} queries/month{known}"

    def count() -> None:
        nonlocal queries
        if number.value is not None and number.value >= 0:
            queries = int(number.value)
            note(_QUERIES, queries, MONTHLY_QUERIES)
            show()

    number.on_value_change(count)
    dollar.on_value_change(lambda: note(price_key(), dollar.value, price(*judge())))
    draft.listen(show)
    show()


_UNKNOWN = "unknown"
_METHODS = {"formula": "Formula", "llm": "LLM", "hybrid": "Hybrid", "selective": "Selective"}


def _cost_row(name: str) -> tuple[ui.element, TextElement]:
    with ui.element("tr") as row:
        words(name, "td", "name")
        cell = words("", "td", "number")
    return row, cell


def dollars(amount: float | None) -> str:
    """Return an amount as it is shown: whole dollars plain, cents where there are some."""
    if amount is None:
        return _UNKNOWN
    return f"${amount:,.0f}" if amount == int(amount) else f"${amount:,.2f}"


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
    only_for(draft, box, "llm", "hybrid", "selective")


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
