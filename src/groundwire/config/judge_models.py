"""Models that can judge, and what a judgement costs (R002-25, R002-30, R002-33, R002-38).

Prices are those of the requirement, per judgement of about 100 tokens. A user adds models and
changes prices in the settings (``[judge.prices]``) or on the admin page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from groundwire.config.choices import PROVIDERS, Provider
from groundwire.config.profiles import CLAUDE_MODEL
from groundwire.config.values import Allowed, Table, Text

#: R002-30: names of the providers, and the model that choosing one selects.
PROVIDER_LABELS = {
    "openai": "OpenAI",
    "anthropic": "Anthropic (Claude)",
    "azure": "Azure OpenAI",
}
DEFAULT_MODELS = {"openai": "gpt-4o-mini", "anthropic": CLAUDE_MODEL, "azure": "gpt-4o-mini"}
#: R002-28.
METHOD_LABELS = {
    "formula": "Formula Only (Fast, No Cost)",
    "llm": "LLM Judgment (Accurate, LLM Cost)",
    "hybrid": "Hybrid (Best Balance)",
}
#: Queries a month of the requirement's own cost table.
MONTHLY_QUERIES = 10_000
_MILLION = 1_000_000

Dollars = Annotated[
    float | None,
    Field(ge=0, le=1000, allow_inf_nan=False),
    Allowed("a number of dollars from 0 to 1000"),
]


class JudgeModel(Table):
    """One model of one provider; a price that is not known is left out."""

    provider: Annotated[Provider, Allowed(" or ".join(PROVIDERS))]
    value: Text = Field(description="Name of the model, or of the deployment.")
    label: Text | None = Field(default=None, description="Name on the page.")
    per_query: Dollars = Field(default=None, description="Dollars for one judgement.")
    input_per_million: Dollars = Field(
        default=None, description="Dollars for a million tokens read."
    )
    output_per_million: Dollars = Field(
        default=None, description="Dollars for a million tokens written."
    )

    @property
    def cost(self) -> str:
        """Return the price for a list: "$0.0002 per query", "price not known"."""
        if self.per_query is not None:
            return f"${self.per_query:g} per query"
        if self.input_per_million is not None and self.output_per_million is not None:
            prices = f"${self.input_per_million:g} in, ${self.output_per_million:g} out"
            return f"{prices} per million tokens"
        return "price not known"


SHIPPED_MODELS = (
    JudgeModel(provider="openai", value="gpt-4o-mini", label="GPT-4o Mini", per_query=0.0002),
    JudgeModel(provider="openai", value="gpt-4", label="GPT-4", per_query=0.002),
    JudgeModel(provider="anthropic", value=CLAUDE_MODEL, label="Claude 3 Haiku"),
    JudgeModel(provider="azure", value="gpt-4o-mini", label="GPT-4o Mini", per_query=0.0002),
    JudgeModel(provider="azure", value="gpt-4", label="GPT-4", per_query=0.002),
)


def priced_models(prices: Mapping[str, float]) -> list[JudgeModel]:
    """Return models with prices of a judgement given by "provider/model", as settings do.

    Those of providers that judge turns only are left out.
    """
    rows = ((key.partition("/"), price) for key, price in prices.items())
    return [
        JudgeModel.model_validate({"provider": name, "value": value, "per_query": price})
        for (name, _, value), price in rows
        if name in PROVIDERS
    ]


def judge_models(further: Iterable[JudgeModel] = ()) -> dict[tuple[str, str], JudgeModel]:
    """Return the models by provider and name; a further one replaces the shipped one."""
    return {(one.provider, one.value): one for one in (*SHIPPED_MODELS, *further)}


def model_choices(provider: str, further: Iterable[JudgeModel] = ()) -> list[dict[str, str]]:
    """Return value, label and cost of a provider's models (R002-25); [] for no provider."""
    return [
        {"value": one.value, "label": one.label or one.value, "cost": one.cost}
        for one in judge_models(further).values()
        if one.provider == provider
    ]


def judgement_cost(
    model: JudgeModel | None, input_tokens: int | None, output_tokens: int | None
) -> float | None:
    """Return the dollars of one judgement; None when the price is not known.

    From the tokens when the model has prices for them and the provider counted, else per query.
    """
    if model is None:
        return None
    prices = (model.input_per_million, model.output_per_million)
    if None in prices or input_tokens is None or output_tokens is None:
        return model.per_query
    read, written = (price or 0.0 for price in prices)
    return (input_tokens * read + output_tokens * written) / _MILLION


def monthly_cost(method: str, queries: int, per_query: float | None) -> float | None:
    """Return the dollars of a month (R002-33): hybrid asks the judge as often as llm does."""
    if method == "formula":
        return 0.0
    return None if per_query is None else round(queries * per_query, 6)
