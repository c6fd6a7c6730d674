"""The panels of the configuration page that need no server: method, weights, cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from groundwire.config.calculation import sums_to_one
from groundwire.config.judge_models import (
    METHOD_LABELS,
    MONTHLY_QUERIES,
    PRICES_AS_OF,
    monthly_cost,
)
from groundwire_admin.pages.draft import Draft
from groundwire_admin.pages.kept import Kept
from groundwire_admin.pages.text import heading, words
from groundwire_admin.pages.weights import NamedSlider, WeightPair

HYBRID_TEXT = (
    "Hybrid mode calculates both formula and LLM scores, then combines them with "
    "configurable weights."
)
ADJUST_TEXT = "Weights automatically adjust to sum to 1.0"
PRICES_TEXT = f"Shipped prices are as of {PRICES_AS_OF}. Check them against your provider's list."
BOTH_TEXT = "Note: Hybrid uses same LLM cost as LLM-only mode (both evaluate every query)"
_CALLS = {
    "formula": "(no LLM calls)",
    "llm": "(100% queries)",
    "hybrid": "(100% queries, combined scores)",
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


def formula_panel(draft: Draft) -> None:
    """Add the three weights of the formula and their total (R002-31)."""

    def typed(key: str) -> Callable[[float], None]:
        return lambda value: draft.set(f"formula_weights.{key}", value)

    with panel("Formula weights") as box:
        for key, name in _FORMULA:
            value = draft.get(f"formula_weights.{key}")
            NamedSlider(name, value, on_change=typed(key))
        total = words("", "p", "total").props("role=status")

    def show() -> None:
        values = [draft.get(f"formula_weights.{key}") for key, _ in _FORMULA]
        total.text = f"Total: {sum(values):.2f} (must equal 1.0)"
        total.classes(**({"remove": "wrong"} if sums_to_one(*values) else {"add": "wrong"}))

    draft.listen(show)
    show()
    only_for(draft, box, "formula", "hybrid")


def formula_problem(draft: Draft) -> str:
    """Return what is wrong with the formula's weights, or ""."""
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
            month = dollars(monthly_cost(method, queries, one))
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
_METHODS = {"formula": "Formula", "llm": "LLM", "hybrid": "Hybrid"}


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
