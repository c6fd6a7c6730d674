"""The document that says how confidence is calculated: defaults, bounds, sums, merging."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groundwire.config.calculation import (
    ConfidenceCalculationConfig,
    HybridConfidenceSettings,
    checked,
    merged,
    problem_lines,
)
from groundwire.config.judge_models import (
    DEFAULT_MODELS,
    SHIPPED_MODELS,
    JudgeModel,
    judge_models,
    model_choices,
    monthly_cost,
)
from groundwire.config.profiles import PROFILES
from groundwire.errors import ConfigError
from tests.config.place import rows
from tests.support.tables import table, tables


def test_defaults_are_those_of_the_requirement() -> None:
    assert ConfidenceCalculationConfig().document() == tables(__file__)["defaults"]


NO_OBJECT = ({"llm_settings": None}, "llm_settings: value null: an object")


@pytest.mark.parametrize(("partial", "line"), [*rows("calculation"), NO_OBJECT])
def test_what_is_refused_is_told_in_words(partial: dict[str, Any], line: str) -> None:
    with pytest.raises(ValidationError) as caught:
        merged(ConfidenceCalculationConfig(), partial)
    lines = problem_lines(caught.value)
    assert len(lines) == 1
    assert lines[0].startswith(line)
    with pytest.raises(ConfigError, match=r"^here: "):
        checked(partial, source="here")


@pytest.mark.parametrize(("total", "whole"), [(1.0009, True), (0.9991, True), (1.0011, False)])
def test_sum_rule_has_the_tolerance_of_the_source(total: float, whole: bool) -> None:
    weights: dict[str, Any] = {"formula_weight": 0.5, "llm_weight": total - 0.5}
    if whole:
        assert HybridConfidenceSettings(**weights).weights_sum_to_one
        return
    with pytest.raises(ValidationError):
        HybridConfidenceSettings(**weights)
    assert not HybridConfidenceSettings.model_construct(**weights).weights_sum_to_one


@pytest.mark.parametrize("row", rows("profiles"), ids=lambda row: row[0])
def test_shipped_profiles_are_those_of_the_migration(row: list[Any]) -> None:
    name, environment, method, weights, judge, tokens, milliseconds = row
    [profile] = [one for one in PROFILES if one.name == name]
    config, llm = profile.config, profile.config.llm_settings
    assert (profile.environment, config.method) == (environment, method)
    assert list(config.hybrid_settings.model_dump().values()) == weights
    assert f"{llm.provider} {llm.model}" == judge
    assert (llm.max_tokens, llm.timeout_ms, llm.temperature) == (tokens, milliseconds, 0.1)
    assert config.formula_weights.parts == (0.8, 0.1, 0.1)


# 002-V50 to 002-V52; the method table's 0.001 to 0.003 dollars fit neither model
@table
def test_a_month_costs_what_the_requirement_says(method: str, model: str, dollars: float) -> None:
    assert monthly_cost(method, 10_000, judge_models()["openai", model].per_query) == dollars


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
    assert len(judge_models(further)) == len(SHIPPED_MODELS) + 1


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
    assert set(document) == set(ConfidenceCalculationConfig().document())
    assert merged(config, second) == merged(config, {}) == checked(document) == config
    for key, value in second.items():
        for name, inner in value.items() if isinstance(value, dict) else ():
            assert document[key][name] == inner
