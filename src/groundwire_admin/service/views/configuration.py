"""Configurations, their history, prompts, models and the hook's settings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from groundwire_admin.service.views.view import View


class ConfigurationView(View):
    """How confidence is calculated in an environment.

    ``environment`` was asked for, ``source`` is whose row it is (``all`` when it has none of its
    own). ``version`` is what a change has to name; it is 0 where the first change will make a row.
    """

    environment: str
    source: str
    profile: str
    active: bool
    version: int
    config: dict[str, Any] = Field(description="Complete, below the key confidence_calculation.")
    problems: list[str] = Field(description="What is wrong with the stored document, if anything.")
    updated_at: datetime
    updated_by: str


class ChangeView(View):
    """One change; ``before`` is null for what was new."""

    id: int
    at: datetime
    who: str
    action: str
    kind: str
    target: str
    version: int
    restored: int | None
    before: dict[str, Any] | None
    after: dict[str, Any]


class PromptView(View):
    """One version of a prompt."""

    id: int
    name: str
    prompt_type: str
    version: int
    content: str
    notes: str
    tags: list[str]
    active: bool
    usage_count: int
    created_at: datetime
    created_by: str
    updated_at: datetime
    missing_variables: list[str] = Field(description="Variables that the text does not use.")


class PreviewView(View):
    """What the judge would be sent."""

    text: str
    missing_variables: list[str]
    truncated: list[str] = Field(description="Variables that were cut to the configured lengths.")
    warning: str = Field(description="A sentence about missing variables, or empty.")


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
    per_query: float | None
    formula: float
    llm: float | None
    hybrid: float | None
    method: str = Field(description="The method that is configured.")
    configured: float | None = Field(description="What the configured method costs.")


class HookSettingsView(View):
    """The hook's settings as the server may change them.

    ``settings`` is what holds outside of any project; ``origins`` names the layer and file of each
    value by its dotted key. ``admin`` is what admin.toml sets. ``version`` is a digest of that file
    and what a change has to name; it is empty when there is no file.
    """

    settings: dict[str, Any]
    origins: dict[str, str]
    admin: dict[str, Any]
    version: str
    path: str
    problems: list[str]
