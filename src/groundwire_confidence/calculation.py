"""How the confidence of an answer is calculated: method, weights, judge, shipped configurations.

One document, stored per environment at ``config.confidence_calculation``. A user may give a part
of it; ``merged`` fills the rest in and checks the whole.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, ValidationError, model_validator

from groundwire.base.errors import ConfigError
from groundwire.settings.choices import DEFAULT_MODELS, KEY, METHODS, PROVIDERS, Method, Provider
from groundwire.settings.toml_text import near_misses_first
from groundwire.settings.values import Allowed, Share, Table, Text, number, table_lines
from groundwire_confidence import formula

#: R002-18: weights sum to 1 when they miss it by less than this.
TOLERANCE = 0.001

Temperature = Annotated[float, *number(float, 0, 2)]
Tokens = Annotated[int, *number(int, 1, 100_000)]
Milliseconds = Annotated[int, *number(int, 1, 600_000)]
Characters = Annotated[int, *number(int, 0, 1_000_000)]
Budget = Annotated[float, *number(float, 0, 1_000_000, " of dollars")]


def sums_to_one(*weights: float) -> bool:
    """Tell whether weights sum to 1 within ``TOLERANCE``."""
    return abs(sum(weights) - 1.0) < TOLERANCE


class HybridConfidenceSettings(Table):
    """How the two scores of the hybrid method are weighed."""

    formula_weight: Share = Field(
        default=formula.FORMULA_WEIGHT, description="Weight of the formula's score."
    )
    llm_weight: Share = Field(
        default=formula.LLM_WEIGHT, description="Weight of the judge's score."
    )

    @property
    def weights_sum_to_one(self) -> bool:
        """Tell whether both weights sum to 1 within ``TOLERANCE``."""
        return sums_to_one(self.formula_weight, self.llm_weight)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if not self.weights_sum_to_one:
            raise ValueError(_sum_text(self))
        return self


class LLMConfidenceSettings(Table):
    """Which model judges, and within which limits."""

    provider: Annotated[Provider, Allowed(" or ".join(PROVIDERS))] = Field(
        default="openai", description="Whose client is used."
    )
    model: Text = Field(
        default=DEFAULT_MODELS["openai"],
        description="Name of the model, or deployment; left out, the provider's default.",
    )
    temperature: Temperature = Field(
        default=0.1, description="Lower = more deterministic, higher = more creative."
    )
    max_tokens: Tokens = Field(default=100, description="Longest answer of the judge.")
    timeout_ms: Milliseconds = Field(
        default=2000, description="For the whole judgement, repeated attempts included."
    )
    context_characters: Characters = Field(
        default=1000, description="How much of the context the judge is shown."
    )
    response_characters: Characters = Field(
        default=500, description="How much of the response the judge is shown."
    )

    @model_validator(mode="before")
    @classmethod
    def _own_model(cls, given: object) -> object:
        """Put the provider's default in where no model is named."""
        if not isinstance(given, dict) or "model" in given:
            return given
        default = DEFAULT_MODELS.get(str(given.get("provider")))
        return {**given, "model": default} if default else given


class SelectiveSettings(Table):
    """When the selective method asks the judge: in the grey zone, and for a sample beside it."""

    low: Share = Field(default=0.5, description="The grey zone begins at this formula score.")
    high: Share = Field(default=0.8, description="It ends with this one.")
    sample_share: Share = Field(
        default=0.02, description="Of the answers beside it, judged only to be compared."
    )
    monthly_budget: Budget = Field(
        default=10.0, description="Dollars of a month; then the formula decides alone."
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low {self.low:g}, high {self.high:g}: allowed: low up to high")
        return self


class FormulaWeights(Table):
    """Weights of the formula."""

    similarity: Share = Field(
        default=formula.SIMILARITY_WEIGHT, description="Of the similarity of the documents."
    )
    source_quality: Share = Field(
        default=formula.SOURCE_WEIGHT, description="Of the number of good documents."
    )
    response_length: Share = Field(
        default=formula.LENGTH_WEIGHT, description="Of the length of the response."
    )

    @property
    def parts(self) -> tuple[float, float, float]:
        """Return the weights in the order of the formula."""
        return self.similarity, self.source_quality, self.response_length

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if not sums_to_one(*self.parts):
            raise ValueError(_sum_text(self))
        return self


class ConfidenceCalculationConfig(Table):
    """The whole document; every key may be left out."""

    method: Annotated[Method, Allowed(" or ".join(METHODS))] = Field(
        default="formula", description="Which method calculates the confidence."
    )
    hybrid_settings: Annotated[HybridConfidenceSettings, Allowed("an object")] = Field(
        default_factory=HybridConfidenceSettings
    )
    llm_settings: Annotated[LLMConfidenceSettings, Allowed("an object")] = Field(
        default_factory=LLMConfidenceSettings
    )
    formula_weights: Annotated[FormulaWeights, Allowed("an object")] = Field(
        default_factory=FormulaWeights
    )
    selective_settings: Annotated[SelectiveSettings, Allowed("an object")] = Field(
        default_factory=SelectiveSettings
    )

    def document(self) -> dict[str, Any]:
        """Return the complete document, as it is stored and sent."""
        return self.model_dump(mode="json")


def merged(
    base: ConfidenceCalculationConfig, partial: Mapping[str, Any]
) -> ConfidenceCalculationConfig:
    """Return ``base`` with the values of a partial document put in, the whole checked (A002-10).

    Raises pydantic's ValidationError; ``problem_lines`` puts it in words.
    """
    return ConfidenceCalculationConfig.model_validate(deep_merge(base.document(), partial))


def checked(
    partial: Mapping[str, Any], base: ConfidenceCalculationConfig | None = None, source: str = KEY
) -> ConfidenceCalculationConfig:
    """Do what ``merged`` does; raises ConfigError with one ``source: key: text`` line a problem."""
    try:
        return merged(base or ConfidenceCalculationConfig(), partial)
    except ValidationError as error:
        lines = [f"{source}: {line}" for line in problem_lines(error)]
        raise ConfigError("\n".join(lines)) from None


def problem_lines(error: ValidationError) -> list[str]:
    """Return one ``key: text`` line for each error of a document."""
    return table_lines(error, ConfidenceCalculationConfig)


def deep_merge(base: Mapping[str, Any], partial: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new document: objects are merged key by key, everything else is replaced.

    Another provider takes the model with it, unless ``partial`` names one.
    """
    result = dict(base)
    if partial.get("provider") not in (None, base.get("provider")) and "model" not in partial:
        result.pop("model", None)
    for key, value in partial.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = deep_merge(old, value)
        else:
            result[key] = value
    return result


def _sum_text(weights: Table) -> str:
    values: dict[str, float] = weights.model_dump()
    terms = " + ".join(f"{name} {value:g}" for name, value in values.items())
    return f"{terms} = {round(sum(values.values()), 6):g}: allowed: weights that sum to 1"


#: Name under which the configurations are stored.
CONFIG_NAME = "default_agent_config"


class Profile(NamedTuple):
    """One configuration; ``initial`` is the one that an environment begins with."""

    environment: str
    name: str
    initial: bool
    config: ConfidenceCalculationConfig


PROFILES = tuple(
    Profile(environment, name, number == 0, ConfidenceCalculationConfig.model_validate(document))
    for environment, profiles in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
    for number, (name, document) in enumerate(profiles.items())
)


def check_environment(name: str, stored: Iterable[str] = ()) -> None:
    """Raise ConfigError for an environment that is neither shipped nor one of the ``stored``."""
    known = list(dict.fromkeys([*(one.environment for one in PROFILES), *stored]))
    if name.strip().lower() not in known:
        allowed = near_misses_first(name, known)
        raise ConfigError(f"environment: value {name!r}: allowed: {allowed}")


def initial_profile(environment: str) -> Profile:
    """Return what an environment begins with; that of ``ALL`` for one without its own."""
    own = [one for one in PROFILES if one.initial and one.environment == environment.lower()]
    return own[0] if own else PROFILES[0]
