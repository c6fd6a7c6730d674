"""Models, prices, and what a month costs."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.config.calculation import ConfidenceCalculationConfig, LLMConfidenceSettings
from groundwire.errors import ConfigError, ConflictError
from groundwire_admin.service.models import Models
from groundwire_admin.store.database import Store


@pytest.fixture
def models(store: Store) -> Models:
    return Models(store)


def config(method: Any, provider: Any, model: str) -> ConfidenceCalculationConfig:
    judge = LLMConfidenceSettings(provider=provider, model=model)
    return ConfidenceCalculationConfig(method=method, llm_settings=judge)


def test_the_providers(models: Models) -> None:
    found = [(one.value, one.label, one.default_model) for one in models.providers()]
    assert found == [
        ("openai", "OpenAI", "gpt-4o-mini"),
        ("anthropic", "Anthropic (Claude)", "claude-3-haiku-20240307"),
        ("azure", "Azure OpenAI", "gpt-4o-mini"),
    ]


def test_the_models_of_a_provider(models: Models) -> None:
    found = [one.model_dump() for one in models.of("openai")]
    mini = {"value": "gpt-4o-mini", "label": "GPT-4o Mini", "cost": "$0.0002 per query"}
    assert mini in found
    with pytest.raises(ConfigError, match='"acme": allowed: openai, anthropic, azure'):
        models.of("acme")


@pytest.mark.parametrize(
    ("method", "model", "queries", "dollars"),
    [
        ("formula", "gpt-4", 10_000, 0.0),
        ("llm", "gpt-4", 10_000, 20.0),
        ("llm", "gpt-4o-mini", 10_000, 2.0),
        ("hybrid", "gpt-4o-mini", 10_000, 2.0),
        ("hybrid", "gpt-4o-mini", 0, 0.0),
        ("llm", "gpt-5-unheard-of", 10_000, None),
    ],
)
def test_a_month(
    models: Models, method: str, model: str, queries: int, dollars: float | None
) -> None:
    """R002-38, V002-13."""
    cost = models.monthly(config(method, "openai", model), queries)
    assert cost.configured == dollars
    assert cost.formula == 0.0
    assert cost.llm == cost.hybrid


@pytest.mark.parametrize("queries", [-1, 10**10])
def test_numbers_of_queries_that_are_not_allowed(models: Models, queries: int) -> None:
    with pytest.raises(ConfigError, match="queries: value"):
        models.monthly(config("llm", "openai", "gpt-4"), queries)


def test_prices_are_changed(models: Models) -> None:
    prices = models.prices()
    assert prices.version == 0
    row = next(one for one in prices.models if one["value"] == "gpt-4")
    new = {"provider": "anthropic", "value": "claude-x", "label": "Claude X", "per_query": 0.01}
    saved = models.save_prices([{**row, "per_query": 0.003}, new], who="ann", version=0)
    assert saved.version == 1
    assert len(saved.models) == len(prices.models) + 1
    assert models.monthly(config("llm", "openai", "gpt-4"), 10_000).llm == 30.0
    assert "claude-x" in [one.value for one in models.of("anthropic")]
    with pytest.raises(ConflictError, match="version 0 is not the current one: version 1"):
        models.save_prices([], who="bob", version=0)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"provider": "acme", "value": "x"}, r"prices: models\[1\].provider: value \"acme\""),
        ({"provider": "openai", "value": ""}, r"models\[1\].value: value \"\": a text"),
        ({"provider": "openai", "value": "x", "per_query": -1}, "per_query: value -1: a number"),
        ({"provider": "openai", "value": "x", "prize": 1}, "prize: unknown key: allowed: pr"),
    ],
)
def test_prices_that_are_not_allowed(models: Models, row: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        models.save_prices([row], who="ann")
    assert models.prices().version == 0
