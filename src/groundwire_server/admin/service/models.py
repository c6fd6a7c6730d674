"""Providers, their models, and what these cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError

from groundwire.base.errors import ConfigError
from groundwire.settings.choices import DEFAULT_MODELS, PROVIDERS
from groundwire.settings.judge_models import (
    MONTHLY_QUERIES,
    PROVIDER_LABELS,
    JudgeModel,
    judge_models,
    model_choices,
    monthly_cost,
)
from groundwire.settings.toml_text import show_value
from groundwire.settings.values import Allowed, Table, table_lines
from groundwire_confidence.calculation import ConfidenceCalculationConfig
from groundwire_server.admin.service.view import View
from groundwire_server.admin.store import options
from groundwire_server.admin.store.database import Store

_MOST_QUERIES = 1_000_000_000


class ModelView(View):
    """A model that can judge."""

    value: str
    label: str
    cost: str


class ProviderView(View):
    """A provider, and the model that choosing it selects."""

    value: str
    label: str
    default_model: str


class PricesView(View):
    """The models with their prices, complete; ``version`` is what a change has to name."""

    models: list[dict[str, Any]]
    version: int


class CostView(View):
    """What a month costs with each method (R002-33); null where the price is not known."""

    queries: int
    provider: str
    model: str
    per_query: float | None = Field(description="Estimated where the price is one of tokens.")
    formula: float
    llm: float | None
    hybrid: float | None
    selective: float | None = Field(description="At most.")
    method: str = Field(description="The method that is configured.")
    configured: float | None = Field(description="What the configured method costs.")


class _Prices(Table):
    """The document that is stored."""

    models: Annotated[list[JudgeModel], Allowed("a list of models")]


class Models:
    """The models that can judge, with prices that an admin may change. Raises StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def providers(self) -> list[ProviderView]:
        """Return the providers with their names on the page and default models (R002-30)."""
        return [
            ProviderView(
                value=name, label=PROVIDER_LABELS[name], default_model=DEFAULT_MODELS[name]
            )
            for name in PROVIDERS
        ]

    def of(self, provider: str) -> list[ModelView]:
        """Return the models of a provider (R002-25). Raises ConfigError for an unknown one."""
        if provider not in PROVIDERS:
            allowed = ", ".join(PROVIDERS)
            raise ConfigError(f"provider: value {show_value(provider)}: allowed: {allowed}")
        choices = model_choices(provider, self._changed()[0])
        return [ModelView.model_validate(choice) for choice in choices]

    def known(self) -> dict[tuple[str, str], JudgeModel]:
        """Return all models by provider and name, with the prices in effect."""
        return judge_models(self._changed()[0])

    def prices(self) -> PricesView:
        """Return every model with its prices."""
        changed, version = self._changed()
        models = [model.model_dump(mode="json") for model in judge_models(changed).values()]
        return PricesView(models=models, version=version)

    def save_prices(
        self, models: Sequence[Mapping[str, Any]], *, who: str, version: int | None = None
    ) -> PricesView:
        """Keep models with their prices; a shipped model that is left out keeps its own.

        Raises ConfigError with one line per problem, and ConflictError when ``version`` is not
        the present one.
        """
        try:
            checked = _Prices.model_validate({"models": [dict(model) for model in models]})
        except ValidationError as error:
            lines = [f"prices: {line}" for line in table_lines(error, _Prices)]
            raise ConfigError("\n".join(lines)) from None
        document = checked.model_dump(mode="json")
        with self._store.write() as session:
            options.save(session, options.PRICES, document, version=version, who=who)
        return self.prices()

    def monthly(
        self,
        config: ConfidenceCalculationConfig,
        queries: int = MONTHLY_QUERIES,
        *,
        provider: str = "",
        model: str = "",
    ) -> CostView:
        """Return what a month of ``queries`` costs with each method (R002-33).

        The judge is that of ``config``, unless ``provider`` or ``model`` name another.
        """
        if not 0 <= queries <= _MOST_QUERIES:
            allowed = f"a whole number from 0 to {_MOST_QUERIES}"
            raise ConfigError(f"queries: value {show_value(queries)}: allowed: {allowed}")
        judge, models = config.llm_settings, self.known()
        if model and not provider:  # whoever has it, the configured one first
            own = (judge.provider, *PROVIDERS)
            provider = next((one for one in own if (one, model) in models), "")
        provider = provider or judge.provider
        model = model or (judge.model if provider == judge.provider else DEFAULT_MODELS[provider])
        known = models.get((provider, model))
        each = known.estimate if known else None
        budget = config.selective_settings.monthly_budget
        return CostView(
            queries=queries,
            provider=provider,
            model=model,
            per_query=each,
            formula=0.0,
            **{
                one: monthly_cost(one, queries, each, budget)
                for one in ("llm", "hybrid", "selective")
            },
            method=config.method,
            configured=monthly_cost(config.method, queries, each, budget),
        )

    def _changed(self) -> tuple[list[JudgeModel], int]:
        with self._store.read() as session:
            row = options.option(session, options.PRICES)
            if row is None:
                return [], 0
            return list(_Prices.model_validate(row.value).models), row.version
