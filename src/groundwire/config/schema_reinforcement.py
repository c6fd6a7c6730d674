"""The table ``[reinforcement]`` of a settings file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.config.convert import from_settings
from groundwire.config.values import Allowed, Share, Switch, Table
from groundwire.settings import SHIPPED

_DEFAULTS = from_settings(SHIPPED)["reinforcement"]

Alpha = Annotated[
    float, Field(ge=0.1, le=0.3, allow_inf_nan=False), Allowed("a number from 0.1 to 0.3")
]
Delta = Annotated[
    float, Field(ge=0.05, le=0.15, allow_inf_nan=False), Allowed("a number from 0.05 to 0.15")
]
Suffixes = Annotated[
    list[Annotated[str, Field(pattern=r"^\.[^./\sA-Z]+$")]],
    Allowed('a list of suffixes in lower case, such as [".md"]'),
]


class ReinforcementTable(Table):
    """The confidence that compounds with evidence."""

    enabled: Switch = Field(
        default=SHIPPED.reinforcement.enabled, description="Keep one for each session in the hook."
    )
    alpha: Alpha = Field(default=SHIPPED.reinforcement.alpha, description="Gain of a step.")
    delta: Delta = Field(default=SHIPPED.reinforcement.delta, description="Decay of a step.")
    pattern_weight: Share = Field(
        default=SHIPPED.reinforcement.pattern_weight,
        description="What a file pattern adds when its entry names no weight.",
    )
    category_bonus: Share = Field(
        default=SHIPPED.reinforcement.category_bonus,
        description="What each category of patterns beyond the first adds.",
    )
    apply_milestone_boost: Switch = Field(
        default=SHIPPED.reinforcement.apply_milestone_boost,
        description="Add the boost of the highest milestone that a session has reached.",
    )
    content_suffixes: Suffixes = Field(
        default=_DEFAULTS["content_suffixes"],
        description="New files with other suffixes lose confidence.",
    )
