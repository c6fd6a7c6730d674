"""Models that can judge, what a judgement costs, and where a judge may be asked.

The server's file is changed over HTTP, the user's own by hand. So it may name the providers' own
addresses, plain http on this machine, and what the user's file names; else its judge counts not.

A user adds models and changes prices in the settings (``[judge.prices]``) or on the admin page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from math import inf
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field

from groundwire.base.settings import SHIPPED
from groundwire.settings.choices import PROVIDERS, Provider
from groundwire.settings.layers import Layer
from groundwire.settings.toml_text import show_value
from groundwire.settings.values import Allowed, Dollars, Table, Text

#: The address of each provider that has one of its own.
OWN_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
_KEY = ("judge", "base_url")
_PORTS = {"http": 80, "https": 443}


def origin(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address; ("", "", 0) for what is none."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", "", 0
    return parts.scheme, (parts.hostname or "").rstrip("."), port


def is_on_this_machine(address: str) -> bool:
    """Tell whether ``address`` is one of the loopback interface, reached by http."""
    scheme, host, _ = origin(address)
    try:
        return scheme == "http" and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False


def address_problem(layer: Layer, below: Mapping[str, Any]) -> tuple[tuple[str, ...], str] | None:
    """Return key and problem of an address that the admin's ``layer`` may not set, or None.

    ``below`` are the settings that hold without it.
    """
    address = layer.document.get("judge", {}).get("base_url", "")
    users = below["judge"]["base_url"]
    known = [SHIPPED.judge.base_url, users]
    allowed = [origin(one) for one in (*OWN_ADDRESSES.values(), users) if one]
    if address in known or is_on_this_machine(address) or origin(address) in allowed:
        return None
    own = ", ".join(OWN_ADDRESSES.values())
    text = f"value {show_value(address)}: allowed: {own}, http://127.0.0.1:PORT, or what your"
    return _KEY, f"{text} config.toml names"


def within_addresses(layer: Layer, below: Mapping[str, Any]) -> tuple[Layer, list[str]]:
    """Return the admin's ``layer``, without its judge where that has another address, and why."""
    problem = address_problem(layer, below)
    if problem is None:
        return layer, []
    key, text = problem
    rest = {name: value for name, value in layer.document.items() if name != "judge"}
    return layer.replace(document=rest), [layer.error(key, f"{text}; no key of judge counts here")]


#: R002-30.
PROVIDER_LABELS = {"openai": "OpenAI", "anthropic": "Anthropic (Claude)", "azure": "Azure OpenAI"}
#: R002-28.
METHOD_LABELS = {
    "formula": "Formula Only (Fast, No Cost)",
    "llm": "LLM Judgment (Accurate, LLM Cost)",
    "hybrid": "Hybrid (Best Balance)",
    "selective": "Selective (LLM Only in the Grey Zone)",
}
#: Queries a month of the requirement's own cost table.
MONTHLY_QUERIES = 10_000
_MILLION = 1_000_000


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


def _shipped_models() -> Iterator[JudgeModel]:
    file = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    prices = ("per_query",), ("input_per_million", "output_per_million")
    for rows, names in zip(tomllib.loads(file).values(), prices, strict=True):
        for key, (label, *dollars) in rows.items():
            provider, _, value = key.partition("/")
            row = {"provider": provider, "value": value, "label": label}
            yield JudgeModel.model_validate(row | dict(zip(names, dollars, strict=True)))


SHIPPED_MODELS = (*_shipped_models(),)


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


def monthly_cost(
    method: str, queries: int, per_query: float | None, budget: float = inf
) -> float | None:
    """Return the dollars of a month (R002-33): hybrid asks the judge as often as llm does.

    Of selective it is the most, ``budget`` included: how often it asks is not known before.
    """
    if method == "formula":
        return 0.0
    most = budget if method == "selective" else inf
    return None if per_query is None else round(min(queries * per_query, most), 6)
