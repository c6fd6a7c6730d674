"""Models that can judge, what a judgement costs, and what a calculation is chosen from.

They stand apart from its model: the help of commands names them, and does without pydantic.

A user adds models and changes prices in the settings (``[judge.prices]``) or on the admin page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field

from groundwire.base.settings import CLAUDE_CODE
from groundwire.settings.values import Allowed, Table, Text

Method = Literal["formula", "llm", "hybrid"]
Provider = Literal["openai", "anthropic", "azure"]
METHODS: tuple[str, ...] = get_args(Method)
PROVIDERS: tuple[str, ...] = get_args(Provider)
CLAUDE_MODEL = "claude-3-haiku-20240307"
#: R002-30: the model that choosing a provider selects.
DEFAULT_MODELS = {"openai": "gpt-4o-mini", "anthropic": CLAUDE_MODEL, "azure": "gpt-4o-mini"}
#: Who can be asked about a turn: the same, and the user's own client.
TURN_PROVIDERS = (CLAUDE_CODE, *PROVIDERS)
#: Environment whose configuration counts where there is none of its own (A002-11).
ALL = "all"
#: Key of the document within a stored configuration (R002-21).
KEY = "confidence_calculation"


#: R002-30.
PROVIDER_LABELS = {
    "openai": "OpenAI",
    "anthropic": "Anthropic (Claude)",
    "azure": "Azure OpenAI",
}
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
    def estimate(self) -> float | None:
        """What a query costs in dollars, by its own price or by those of its tokens."""
        return self.per_query if self.per_query is not None else judgement_cost(self, *QUERY_TOKENS)

    @property
    def cost(self) -> str:
        """Return the price for a list: "$0.0002 per query", "price unknown"."""
        if self.per_query is not None:
            return f"${self.per_query:g} per query"
        if self.input_per_million is not None and self.output_per_million is not None:
            prices = f"${self.input_per_million:g} in, ${self.output_per_million:g} out"
            return f"{prices} per million tokens"
        return "price unknown"


#: Tokens that a judgement reads (the shipped prompt with 1,500 characters of context and response)
#: and at most writes, to estimate what a query costs by prices of tokens.
QUERY_TOKENS = 500, 100
PRICES_AS_OF = "November 2026"
#: Provider, name, label, and dollars for a million tokens read and written: the standard prices of
#: OpenAI and Anthropic at that time for prompts of this length. Of Azure those for global
#: deployments that are known; a model without a known price is not in the list.
_BY_TOKENS = (
    ("openai", "gpt-6-luna", "GPT-6 Luna", 0.1, 0.5),
    ("openai", "gpt-6.1-terra", "GPT-6.1 Terra", 1.0, 5.0),
    ("openai", "gpt-6.2-sol", "GPT-6.2 Sol", 2.0, 10.0),
    ("openai", "gpt-5.6-luna", "GPT-5.6 Luna", 0.2, 1.2),
    ("openai", "gpt-5.6-terra", "GPT-5.6 Terra", 2.0, 12.0),
    ("openai", "gpt-5.4", "GPT-5.4", 2.5, 15.0),
    ("openai", "gpt-5-mini", "GPT-5 Mini", 0.25, 2.0),
    ("openai", "gpt-5-nano", "GPT-5 Nano", 0.05, 0.4),
    ("openai", "gpt-4.1", "GPT-4.1", 2.0, 8.0),
    ("openai", "gpt-4.1-mini", "GPT-4.1 Mini", 0.4, 1.6),
    ("anthropic", CLAUDE_MODEL, "Claude 3 Haiku", 0.25, 1.25),
    ("anthropic", "claude-haiku-5-5", "Claude Haiku 5.5", 0.1, 0.5),
    ("anthropic", "claude-sonnet-5-5", "Claude Sonnet 5.5", 2.0, 10.0),
    ("anthropic", "claude-opus-5-5", "Claude Opus 5.5", 4.0, 20.0),
    ("anthropic", "claude-haiku-4-5", "Claude Haiku 4.5", 1.0, 5.0),
    ("anthropic", "claude-sonnet-4-6", "Claude Sonnet 4.6", 3.0, 15.0),
    ("anthropic", "claude-opus-4-8", "Claude Opus 4.8", 5.0, 25.0),
    ("azure", "gpt-5.6-luna", "GPT-5.6 Luna", 0.2, 1.2),
    ("azure", "gpt-5.6-terra", "GPT-5.6 Terra", 2.0, 12.0),
    ("azure", "gpt-5-mini", "GPT-5 Mini", 0.25, 2.0),
    ("azure", "gpt-5-nano", "GPT-5 Nano", 0.05, 0.4),
    ("azure", "gpt-4.1", "GPT-4.1", 2.0, 8.0),
    ("azure", "gpt-4.1-mini", "GPT-4.1 Mini", 0.4, 1.6),
)
#: The first two of OpenAI and Azure have the prices of the requirement (R002-38).
SHIPPED_MODELS = (
    *(
        JudgeModel.model_validate(
            {"provider": provider, "value": value, "label": label, "per_query": price}
        )
        for provider in ("openai", "azure")
        for value, label, price in (
            ("gpt-4o-mini", "GPT-4o Mini", 0.0002),
            ("gpt-4", "GPT-4", 0.002),
        )
    ),
    *(
        JudgeModel.model_validate(
            {
                "provider": provider,
                "value": value,
                "label": label,
                "input_per_million": read,
                "output_per_million": written,
            }
        )
        for provider, value, label, read, written in _BY_TOKENS
    ),
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
