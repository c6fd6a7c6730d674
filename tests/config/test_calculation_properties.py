"""Merging documents of confidence calculation: laws that hold for all of them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire.config.calculation import (
    ConfidenceCalculationConfig,
    checked,
    deep_merge,
    merged,
)

KEYS = st.sampled_from(["a", "b", "c"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.lists(st.integers(0, 2)))
DOCUMENTS = st.recursive(
    st.dictionaries(KEYS, LEAVES, max_size=3),
    lambda inner: st.dictionaries(KEYS, st.one_of(LEAVES, inner), max_size=3),
    max_leaves=8,
)
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
                "max_tokens": st.integers(1, 1_000),
                "timeout_ms": st.integers(1, 10_000),
            },
        ),
    },
)


@given(DOCUMENTS, DOCUMENTS)
def test_merging_twice_is_merging_once(base: dict[str, Any], part: dict[str, Any]) -> None:
    once = deep_merge(base, part)
    assert deep_merge(once, part) == once


@given(DOCUMENTS)
def test_nothing_merged_changes_nothing(base: dict[str, Any]) -> None:
    assert deep_merge(base, {}) == base
    assert deep_merge({}, base) == base
    assert deep_merge(base, base) == base


@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_how_changes_are_grouped_does_not_matter_but_their_order_does(
    base: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    grouped = deep_merge(base, deep_merge(first, second))
    for key, value in second.items():  # the later change wins wherever it says something
        if not isinstance(value, dict):
            assert grouped[key] == value
    # A table that takes the place of a value forgets what was there, so grouping is free only
    # where no key is a table in one document and a value in another.
    if _alike(base, first) and _alike(first, second) and _alike(base, second):
        assert grouped == deep_merge(deep_merge(base, first), second)


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    for key in one.keys() & other.keys():
        tables = isinstance(one[key], dict), isinstance(other[key], dict)
        if tables == (True, True):
            if not _alike(one[key], other[key]):
                return False
        elif any(tables):
            return False
    return True


@given(DOCUMENTS, DOCUMENTS)
def test_merging_leaves_its_arguments_alone(base: dict[str, Any], part: dict[str, Any]) -> None:
    before = repr((base, part))
    deep_merge(base, part)
    assert repr((base, part)) == before


@given(PARTS, PARTS)
def test_a_merged_configuration_is_complete_and_stays_what_it_is(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    config = merged(checked(first), second)
    document = config.document()
    assert set(document) == set(ConfidenceCalculationConfig().document())
    assert merged(config, second) == config
    assert merged(config, {}) == config
    assert checked(document) == config
    for key, value in second.items():
        for name, inner in value.items() if isinstance(value, dict) else ():
            assert document[key][name] == inner


@given(PARTS, PARTS)
def test_changes_of_different_keys_may_come_in_any_order(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    base = ConfidenceCalculationConfig()
    apart = {key: value for key, value in second.items() if key not in first}
    one, other = merged(merged(base, first), apart), merged(merged(base, apart), first)
    assert one == other
