"""The table ``[judge]`` of a settings file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from groundwire.config.choices import PROVIDERS
from groundwire.config.judge_models import Dollars
from groundwire.config.values import Allowed, Switch, Table, Text
from groundwire.settings import SHIPPED


def _one_of_providers(value: str) -> str:
    if value not in PROVIDERS:
        raise ValueError("not a provider")
    return value


JudgeProvider = Annotated[
    str,
    AfterValidator(_one_of_providers),
    Field(json_schema_extra={"enum": list(PROVIDERS)}),
    Allowed("one of " + ", ".join(f'"{name}"' for name in PROVIDERS)),
]
Address = Annotated[
    str,
    Field(pattern=r"^(https?://[^\s/]\S*)?$"),
    Allowed('an address with http:// or https://, or "" for the provider\'s own'),
]
# beyond it Claude Code would end the hook of the plugin
Budget = Annotated[int, Field(ge=500, le=15_000), Allowed("a whole number from 500 to 15000")]
Statements = Annotated[int, Field(ge=1, le=10), Allowed("a whole number from 1 to 10")]
EvidenceCharacters = Annotated[
    int, Field(ge=500, le=100_000), Allowed("a whole number from 500 to 100000")
]
ModelName = Annotated[str, Field(pattern=rf"^({'|'.join(PROVIDERS)})/\S.*$")]
Prices = Annotated[
    dict[ModelName, Dollars],
    Allowed('dollars from 0 to 1000 for each "provider/model", such as "openai/gpt-4o-mini"'),
]


class JudgeTable(Table):
    """A second opinion of a language model in the hook; it never changes the decision."""

    enabled: Switch = Field(
        default=SHIPPED.judge.enabled,
        description="Ask it about matches that do not stop the turn; sends what tools returned.",
    )
    provider: JudgeProvider = Field(
        default=SHIPPED.judge.provider, description="Its key comes from the environment."
    )
    model: Text = Field(default=SHIPPED.judge.model, description="The model, or the deployment.")
    base_url: Address = Field(
        default=SHIPPED.judge.base_url, description="Another address of the provider."
    )
    budget_ms: Budget = Field(
        default=SHIPPED.judge.budget_ms, description="Milliseconds that a turn waits for it."
    )
    statements: Statements = Field(
        default=SHIPPED.judge.statements, description="Statements of a turn, at most."
    )
    evidence_characters: EvidenceCharacters = Field(
        default=SHIPPED.judge.evidence_characters,
        description="How much of what the tools returned it is shown.",
    )
    prices: Prices = Field(
        default=dict(SHIPPED.judge.prices),
        description='Dollars of one judgement by "provider/model", over the shipped ones.',
    )
