"""Providers and models of the judge with their prices, and what a month costs (R002-25, -33)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from groundwire_server.admin.api.common import (
    PREFIX,
    Body,
    Document,
    Environment,
    IfMatch,
    Profile,
    Service,
    Tagged,
    Version,
    Who,
    problems,
    wanted_version,
)
from groundwire_server.admin.service.models import CostView, ModelView, PricesView, ProviderView


class ModelList(BaseModel):
    """The models of a provider."""

    models: list[ModelView]


class ProviderList(BaseModel):
    """All providers."""

    providers: list[ProviderView]


class PricesChange(Body):
    """Models with their prices; a shipped model that is left out keeps its own."""

    models: list[Document] = Field(
        max_length=200,
        examples=[[{"provider": "openai", "value": "gpt-4o-mini", "per_query": 0.0002}]],
        json_schema_extra={"items": {"$ref": "#/components/schemas/JudgeModel"}},
    )
    version: Version = None


router = APIRouter(default_response_class=Tagged, prefix=PREFIX, tags=["models"])


@router.get("/llm/providers", responses=problems())
def list_providers(admin: Service) -> ProviderList:
    """Return the providers with the model that choosing one selects."""
    return ProviderList(providers=admin.models.providers())


@router.get("/llm/models", responses=problems())
def list_models(
    admin: Service,
    provider: Annotated[
        Literal["openai", "anthropic", "azure"], Query(description="Whose models.")
    ],
) -> ModelList:
    """Return the models of a provider with their label and cost."""
    return ModelList(models=admin.models.of(provider))


@router.get("/llm/prices", responses=problems())
def get_prices(admin: Service) -> PricesView:
    """Return every model with its prices; the ETag is the version."""
    return admin.models.prices()


@router.put("/llm/prices", responses=problems(409))
def put_prices(admin: Service, change: PricesChange, who: Who, tag: IfMatch) -> PricesView:
    """Keep models with their prices."""
    return admin.models.save_prices(
        change.models, who=who, version=wanted_version(tag, change.version)
    )


@router.get("/cost", responses=problems(404))
def monthly_cost(
    admin: Service,
    queries: Annotated[int, Query(ge=0, le=1_000_000_000, description="Queries a month.")] = 10_000,
    environment: Environment = "all",
    profile: Profile = "",
    provider: Annotated[
        Literal["", "openai", "anthropic", "azure"],
        Query(description="In place of the environment's."),
    ] = "",
    model: Annotated[str, Query(max_length=200, description="In place of the environment's.")] = "",
) -> CostView:
    """Return what a month costs with each method and the judge of an environment, or another."""
    config, _ = admin.configuration.calculation(environment, profile)
    return admin.models.monthly(config, queries, provider=provider, model=model)
