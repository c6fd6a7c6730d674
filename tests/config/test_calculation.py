"""The document that says how confidence is calculated: defaults, bounds, sums, merging."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groundwire.base.errors import ConfigError
from groundwire.settings import judge_models
from groundwire.settings.choices import DEFAULT_MODELS
from groundwire.settings.judge_models import JudgeModel, model_choices
from groundwire_confidence.calculation import (
    PROFILES,
    HybridConfidenceSettings,
    checked,
    merged,
    problem_lines,
)
from groundwire_confidence.calculation import ConfidenceCalculationConfig as Config
from tests.support.tables import rows, tables


def test_defaults_are_those_of_the_requirement() -> None:
    assert Config().document() == tables(__file__)["defaults"]


def test_an_object_cannot_be_taken_away() -> None:
    assert refused({"llm_settings": None}, "llm_settings: value null: an object")


def refused(partial: dict[str, Any], said: str) -> bool:
    with pytest.raises(ConfigError, match=r"^here: "):
        checked(partial, source="here")
    with pytest.raises(ValidationError) as caught:
        merged(Config(), partial)
    [line] = problem_lines(caught.value)
    return line.startswith(said)


def sums_to_one(total: float) -> bool:
    weights: dict[str, Any] = {"formula_weight": 0.5, "llm_weight": total - 0.5}
    found = HybridConfidenceSettings.model_construct(**weights).weights_sum_to_one
    if found:
        assert HybridConfidenceSettings(**weights).weights_sum_to_one
    else:
        with pytest.raises(ValidationError):
            HybridConfidenceSettings(**weights)
    return found


def profile(name: str) -> tuple[object, ...]:
    [found] = [one for one in PROFILES if one.name == name]
    config, llm = found.config, found.config.llm_settings
    assert (llm.temperature, config.formula_weights.parts) == (0.1, (0.8, 0.1, 0.1))
    weights = list(config.hybrid_settings.model_dump().values())
    judge = f"{llm.provider} {llm.model}"
    return found.environment, config.method, weights, judge, llm.max_tokens, llm.timeout_ms


def a_month(method: str, model: str) -> float | None:
    per_query = judge_models.judge_models()["openai", model].per_query
    return judge_models.monthly_cost(method, 10_000, per_query)


test_row = rows(
    __file__, calculation=refused, sums_to_one=sums_to_one, profiles=profile, a_month=a_month
)


def test_choices_of_a_provider_begin_with_its_default_and_can_be_changed() -> None:
    for provider, default in DEFAULT_MODELS.items():
        assert model_choices(provider)[0]["value"] == default
    assert model_choices("elsewhere") == []
    further = [
        JudgeModel(provider="openai", value="gpt-4o-mini", per_query=0.5),
        JudgeModel(provider="openai", value="own", input_per_million=1, output_per_million=4),
    ]
    first, second, *_, last = model_choices("openai", further)
    assert [first, second, last] == [
        {"value": "gpt-4o-mini", "label": "gpt-4o-mini", "cost": "$0.5 per query"},
        {"value": "gpt-4", "label": "GPT-4", "cost": "$0.002 per query"},
        {"value": "own", "label": "own", "cost": "$1 in, $4 out per million tokens"},
    ]
    assert further[1].estimate == pytest.approx((500 + 4 * 100) / 1e6)
    assert len(judge_models.judge_models(further)) == len(judge_models.SHIPPED_MODELS) + 1


WEIGHT = st.integers(0, 100).map(lambda percent: percent / 100)
PARTS = st.fixed_dictionaries(
    {},
    optional={
        "method": st.sampled_from(["formula", "llm", "hybrid"]),
        "hybrid_settings": WEIGHT.map(
            lambda weight: {"formula_weight": weight, "llm_weight": round(1 - weight, 2)}
        ),
        "llm_settings": st.fixed_dictionaries(
            {},
            optional={
                "provider": st.sampled_from(["openai", "anthropic", "azure"]),
                "temperature": st.integers(0, 20).map(lambda tenths: tenths / 10),
                "timeout_ms": st.integers(1, 10_000),
            },
        ),
    },
)


@given(PARTS, PARTS)
def test_a_merged_configuration_is_complete_and_stays_what_it_is(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    config = merged(checked(first), second)
    document = config.document()
    assert set(document) == set(Config().document())
    assert merged(config, second) == merged(config, {}) == checked(document) == config
    for key, value in second.items():
        for name, inner in value.items() if isinstance(value, dict) else ():
            assert document[key][name] == inner
