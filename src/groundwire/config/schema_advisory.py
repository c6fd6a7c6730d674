"""The table ``[advisory]`` of a settings file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.config.convert import from_settings
from groundwire.config.values import Allowed, Table, Texts
from groundwire.settings import SHIPPED

_DEFAULTS = from_settings(SHIPPED)["advisory"]

# beyond these a flag would lose its band
Threshold = Annotated[
    float, Field(ge=0.5, le=0.9, allow_inf_nan=False), Allowed("a number from 0.5 to 0.9")
]
Similarity = Annotated[
    float,
    Field(gt=0, lt=1, allow_inf_nan=False),
    Allowed("a number between 0 and 1, both excluded"),
]


class AdvisoryTable(Table):
    """The advisory confidence of answers made from retrieved passages."""

    threshold: Threshold = Field(
        default=SHIPPED.advisory.threshold, description="Below it an answer is advisory only."
    )
    high_relevance: Similarity = Field(
        default=SHIPPED.advisory.high_relevance,
        description="Similarity from which a passage is highly relevant.",
    )
    medium_relevance: Similarity = Field(
        default=SHIPPED.advisory.medium_relevance,
        description="Similarity from which it is of medium relevance; below high_relevance.",
    )
    required: Texts = Field(
        default=_DEFAULTS["required"], description="Fields that a response must have."
    )
    optional: Texts = Field(
        default=_DEFAULTS["optional"], description="Fields that a whole response has."
    )
