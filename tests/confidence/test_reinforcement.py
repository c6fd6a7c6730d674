"""Requirement group 004: formulas, limit, modifiers once each, the scorer."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.reinforcement.formulas import (
    ALPHA,
    C_MAX,
    C_MIN,
    DELTA,
    Modifiers,
    enhanced,
    full,
    limit,
    per_source_evidence,
    primary_step,
    simplified_as_published,
)
from groundwire.confidence.reinforcement.scorer import ConfidenceScorer
from groundwire.errors import ConfidenceError
from tests.support.tables import table

units = st.floats(0, 1)
alphas = st.floats(0.1, 0.3)
deltas = st.floats(0.05, 0.15)
bases = st.floats(C_MIN, C_MAX)


def near(value: float) -> Any:
    return pytest.approx(value, abs=5e-7)


def test_five_steps_from_the_start() -> None:
    """004-V02."""
    scorer = ConfidenceScorer()
    steps = [scorer.confidence, *(scorer.add_evidence(1, 1) for _ in range(5))]
    assert steps == [near(v) for v in (0.5, 0.541421, 0.570416, 0.590713, 0.604920, 0.614866)]


@table
def test_limit(alpha: float, delta: float, value: float) -> None:
    assert limit(alpha, delta) == near(value)
    confidence = C_MIN
    for _ in range(200):
        confidence = primary_step(confidence, 1, 1, alpha, delta)
    assert confidence == near(value)


@given(bases, alphas, deltas)
def test_full_evidence_goes_monotonously_to_the_limit(
    base: float, alpha: float, delta: float
) -> None:
    end = limit(alpha, delta)
    assert C_MIN < end < C_MAX
    steps = [base]
    for _ in range(30):
        steps.append(primary_step(steps[-1], 1, 1, alpha, delta))
    for before, after in itertools.pairwise(steps):
        assert abs(after - end) <= abs(before - end) + 1e-12
        assert (after - end) * (before - end) >= -1e-12  # and never beyond it


#: 004-V04 to V08: what the published simplification says beside the primary formula.
def test_the_simplification_is_another_formula() -> None:
    assert primary_step(0.5, 1, 1) == near(0.541421)
    assert simplified_as_published(0.5) == near(0.520711)
    middle = (C_MIN + C_MAX) / 2
    assert middle == near(0.603553)
    agreed = (simplified_as_published(middle), primary_step(middle, 1, 1))
    assert agreed == (near(0.61390873), near(0.61390873))


#: 004-V09 to V11: above the limit evidence lowers the confidence, so modifiers come last.
STEPS = [(C_MAX, 1, 0.686396), (0.6, 0, 0.59), (0.9, 1, 0.821421)]


@pytest.mark.parametrize(("before", "evidence", "after"), STEPS)
def test_one_step(before: float, evidence: float, after: float) -> None:
    assert primary_step(before, evidence, 1) == near(after)


def test_the_header_of_the_requirement() -> None:
    """004-V12 and V13: the full formula with products, and no other reading, gives its 0.82."""
    modifiers = Modifiers(validation=True, aho_corasick=True, vv_integration=True)
    assert full(0.707, [(0.08, 0.05)], modifiers) == near(0.815)
    assert full(C_MAX, [(0.08, 0.05)], modifiers) == near(0.815107)
    scorer = ConfidenceScorer(0.707)
    scorer.apply_modifiers(validation=True, aho_corasick=True, vv_integration=True)
    assert scorer.full([(0.08, 0.05)]) == near(0.815)
    # 004-V17: modifiers exceed C_max by design; only 1 bounds the result
    assert full(C_MAX, [], Modifiers(True, True, 0.003, True)) == near(0.814107)
    assert full(C_MAX, [(1, 1)], Modifiers(True, True)) == 1.0
    assert (enhanced(0.5, 0.16, 0.09), enhanced(0.5, 0.58, 0.09)) == (near(0.75), 1.0)
    # A004-4: V, A, R, I, N and D are inputs of the step that they belong to
    modifiers = Modifiers(True, True, 0.003, True, 0.01, 0.002)
    assert primary_step(0.5, 1, 1, modifiers=modifiers) == near(0.541421 + 0.095)
    assert [per_source_evidence(e, o) for e, o in ((0, 0), (0.1, 0.2))] == [near(0.01), near(0.02)]


modifiers = st.fixed_dictionaries(
    {},
    optional={
        "validation": st.booleans(),
        "aho_corasick": st.booleans(),
        "code_refactor": st.floats(0, 0.1),
        "vv_integration": st.booleans(),
        "non_md_penalty": st.floats(0, 0.1),
        "data_decay": st.floats(0, 0.1),
    },
)
calls = st.lists(st.one_of(st.tuples(units, units), modifiers), max_size=6)


def scored(notes: list[Any]) -> ConfidenceScorer:
    scorer = ConfidenceScorer(0.6)
    for note in notes:
        if isinstance(note, dict):
            scorer.apply_modifiers(**note)
        else:
            scorer.add_evidence(*note)
    return scorer


@given(calls, st.randoms())
def test_the_order_of_modifiers_does_not_count(notes: list[Any], random: Any) -> None:
    evidence = [note for note in notes if not isinstance(note, dict)]
    others = [note for note in notes if isinstance(note, dict)]
    random.shuffle(others)
    expected = scored(notes).confidence
    assert scored([*evidence, *others]).confidence == pytest.approx(expected)
    assert scored([*others, *evidence]).confidence == pytest.approx(expected)


def test_modifiers_count_once_each() -> None:
    scorer = ConfidenceScorer(C_MAX)
    for _ in range(3):
        scorer.apply_modifiers(True, True, 0.003, True)
    assert scorer.confidence == near(0.814107)
    assert scorer.apply_modifiers(code_refactor=0.006) == near(0.817107)  # the larger total
    assert scorer.apply_modifiers(non_md_penalty=0.02, data_decay=0.003) == near(0.794107)


#: 004-V26 and A004-19: 0 is no missing base, and 0.9 is none either.
BAD_BASES: list[Any] = [0, 0.0, 0.499, 0.7072, 0.9, -1, math.nan, math.inf, "0.6", True, [0.6]]


@pytest.mark.parametrize("base", BAD_BASES, ids=repr)
def test_a_base_out_of_range(base: Any) -> None:
    with pytest.raises(ValueError, match="base"):
        ConfidenceScorer(base)
    with pytest.raises(ConfidenceError, match=r"boost|bonus"):
        enhanced(0.5, 0, -0.1)
    assert ConfidenceScorer().confidence == ConfidenceScorer(None).confidence == C_MIN == 0.5
    assert (near(0.707107), ALPHA, DELTA) == (C_MAX, 0.2, 0.1)


BAD: list[Any] = [math.nan, math.inf, -0.1, 1.1, "1", None, True]


@pytest.mark.parametrize("value", BAD, ids=repr)
def test_evidence_out_of_range(value: Any) -> None:
    scorer = ConfidenceScorer()
    for pair in ((value, 1), (1, value)):
        with pytest.raises(ConfidenceError, match="a number from 0 to 1"):
            scorer.add_evidence(*pair)
        with pytest.raises(ConfidenceError, match="a number from 0 to 1"):
            full(0.5, [pair])
        with pytest.raises(ConfidenceError, match="a number from 0 to 1"):
            per_source_evidence(*pair)
    assert scorer.confidence == C_MIN  # nothing of it was taken


BAD_RATES: list[tuple[str, Any]] = [
    *(("alpha", value) for value in (0.09, 0.31, math.nan, "0.2", True)),
    *(("delta", value) for value in (0.04, 0.16, -0.1, math.inf, None)),
]


@pytest.mark.parametrize(("name", "value"), BAD_RATES)
def test_rates_out_of_range(name: str, value: Any) -> None:
    with pytest.raises(ConfidenceError, match=name):
        ConfidenceScorer().add_evidence(1, 1, **{name: value})


BAD_MODIFIERS: list[tuple[str, Any]] = [
    ("validation", 1),
    ("validation", "yes"),
    ("aho_corasick", None),
    ("vv_integration", 0.004),
    ("code_refactor", -0.003),
    ("code_refactor", math.nan),
    ("non_md_penalty", -0.01),
    ("non_md_penalty", True),
    ("data_decay", math.inf),
    ("data_decay", "0.001"),
]


@pytest.mark.parametrize(("name", "value"), BAD_MODIFIERS)
def test_a_modifier_that_is_none(name: str, value: Any) -> None:
    scorer = ConfidenceScorer()
    with pytest.raises(ConfidenceError, match=f"{name}: value"):
        scorer.apply_modifiers(**{name: value})
    assert scorer.confidence == C_MIN


def test_the_assessment() -> None:
    scorer = ConfidenceScorer(0.6, apply_milestone_boost=True)
    scorer.advance("visit")
    scorer.reach("M2")
    assessed = scorer.assessment()
    assert (assessed.model, assessed.level, assessed.met) == ("reinforcement", "OBSERVE", None)
    assert assessed.value == near(0.8)
    parts = {factor.name: factor.contribution for factor in assessed.factors}
    assert parts == {"core": 0.6, "observed": 0.05, "milestone_boost": 0.15}
