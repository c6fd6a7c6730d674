"""The table ``[composite]`` of a settings file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from groundwire.config.convert import from_settings
from groundwire.config.values import Allowed, Share, Switch, Table, Text, Texts
from groundwire.settings import MISSING_FACTORS, SHIPPED

_DEFAULTS = from_settings(SHIPPED)


def _one_of_policies(value: str) -> str:
    if value not in MISSING_FACTORS:
        raise ValueError("not a policy")
    return value


Hours = Annotated[int, Field(ge=1, le=2160), Allowed("a whole number of hours from 1 to 2160")]
Days = Annotated[int, Field(ge=1, le=3650), Allowed("a whole number of days from 1 to 3650")]
Runs = Annotated[int, Field(ge=0, le=10_000), Allowed("a whole number from 0 to 10000")]
MissingFactors = Annotated[
    str,
    AfterValidator(_one_of_policies),
    Field(json_schema_extra={"enum": list(MISSING_FACTORS)}),
    Allowed("one of " + ", ".join(f'"{policy}"' for policy in MISSING_FACTORS)),
]
AgentType = Annotated[str, Field(pattern=r"^[^\sA-Z-]+$")]
AgentThresholds = Annotated[
    dict[AgentType, Share],
    Allowed("a number from 0 to 1 for each agent type, in lower case with underscores"),
]
AgentTypes = Annotated[
    dict[str, AgentType],
    Allowed("for each agent of Claude Code an agent type, in lower case with underscores"),
]


class CompositeTable(Table):
    """The composite confidence of an agent's responses."""

    enabled: Switch = Field(
        default=SHIPPED.composite.enabled, description="Compute it for each turn in the hook."
    )
    may_block: Switch = Field(
        default=SHIPPED.composite.may_block,
        description="Stop a turn whose composite is below the threshold of its agent type.",
    )
    default_threshold: Share = Field(
        default=SHIPPED.composite.default_threshold,
        description="For agent types without a threshold of their own.",
    )
    lookback_hours: Hours = Field(
        default=SHIPPED.composite.lookback_hours, description="How far agent history reaches back."
    )
    min_history: Runs = Field(
        default=SHIPPED.composite.min_history,
        description="With fewer runs in the look-back time agent history is 0.5.",
    )
    missing_factors: MissingFactors = Field(
        default=SHIPPED.composite.missing_factors,
        description="In the hook: the others make up the whole, or a missing one is 0 or 0.5.",
    )
    negators: Texts = Field(
        default=_DEFAULTS["composite"]["negators"],
        description='Words in front of which a certainty word does not count, such as "not".',
    )
    history: Text = Field(
        default=SHIPPED.composite.history, description="Folder of the history; ~ is the home."
    )
    retention_days: Days = Field(
        default=SHIPPED.composite.retention_days, description="Older day files are deleted."
    )
    thresholds: AgentThresholds = Field(
        default=_DEFAULTS["composite"]["thresholds"], description="Threshold of each agent type."
    )
    agents: AgentTypes = Field(
        default=_DEFAULTS["composite"]["agents"],
        description="Agent type for each agent of Claude Code; default is the main one.",
    )
