"""The composite confidence: the rows of requirement 000, its laws, and bad input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.assessment import reaches
from groundwire.confidence.composite.factors import (
    agent_history_score,
    code_validation_score,
    knowledge_base_score,
)
from groundwire.confidence.composite.formula import (
    BANDS,
    WEIGHTS,
    CompositeScores,
    assess,
    known_type,
    type_of_event,
)
from groundwire.confidence.composite.reason import weakest
from groundwire.errors import ConfidenceError
from groundwire.settings import Composite
from tests.confidence.table_000 import (
    CODE,
    COMPOSITE,
    HISTORY,
    KNOWLEDGE_BASE,
    LEVELS,
    THRESHOLDS,
)
from tests.support.tables import table

SETTINGS = Composite()
units = st.floats(0, 1)
scores = st.builds(CompositeScores, units, units, units, units)
agents = st.sampled_from([row[0] for row in THRESHOLDS])


def of(given: Sequence[float | None]) -> CompositeScores:
    """Return the four factors in their order."""
    return CompositeScores(given[0], given[1], given[2], given[3])


@pytest.mark.parametrize(("name", "similarities", "score"), KNOWLEDGE_BASE)
def test_knowledge_base(name: str, similarities: list[float], score: float) -> None:
    results = [{"similarity": one, "text": name} for one in similarities]
    assert knowledge_base_score(results) == pytest.approx(score)


@pytest.mark.parametrize(("name", "facts", "score"), CODE)
def test_code_validation(name: str, facts: tuple[bool, ...], score: float) -> None:
    assert code_validation_score(*facts) == score
    with pytest.raises(ConfidenceError, match=r"tests_pass: value .*: allowed: True or False"):
        code_validation_score(True, True, True, True, 1)  # type: ignore[arg-type]


def test_agent_history() -> None:
    assert [agent_history_score(met, total) for _, met, total, _ in HISTORY] == [0.9, 0.5, 0.0]
    assert (agent_history_score(0, 4, 5), agent_history_score(0, 5, 5)) == (0.5, 0.0)


@pytest.mark.parametrize(("name", "factors", "missing", "value"), COMPOSITE)
def test_composite(name: str, factors: tuple[Any, ...], missing: str, value: float) -> None:
    given = of([None if one == "missing" else one for one in factors])
    assert assess("patcher", given, SETTINGS, missing).value == value


@pytest.mark.parametrize(("value", "level"), LEVELS)
def test_level(value: float, level: str) -> None:
    assert BANDS.level(value) == level


@pytest.mark.parametrize(("agent", "threshold", "level", "enough"), THRESHOLDS)
def test_threshold(agent: str, threshold: float, level: str, enough: bool) -> None:
    at = assess(agent, CompositeScores(threshold, threshold, threshold, threshold), SETTINGS)
    assert (at.threshold, at.level, at.met) == (threshold, level, True)
    assert assess(agent, CompositeScores(1.0, 0.85, 0.7, 0.9), SETTINGS).met is enough


def test_v51_no_threshold_is_missed_by_float_error() -> None:
    """In steps of 5 %, 2607 inputs reach a threshold exactly; the plain sum misses it for 127."""
    steps = range(0, 101, 5)
    exact, missed = 0, 0
    for factors in product(steps, steps, steps, steps):
        whole = 30 * factors[0] + 30 * factors[1] + 20 * factors[2] + 20 * factors[3]
        for agent, threshold, _, _ in THRESHOLDS:
            if whole == round(10_000 * threshold):
                exact += 1
                shares = [one / 100 for one in factors]
                plain = 0.0  # sum() makes up for lost digits since Python 3.12
                for share, (_, weight) in zip(shares, WEIGHTS, strict=True):
                    plain += share * weight
                missed += plain < threshold
                assert assess(agent, of(shares), SETTINGS).met is True
    assert (exact, missed) == (2607, 127)


@given(scores, agents)
def test_bounds_and_the_parts_make_up_the_whole(given: CompositeScores, agent: str) -> None:
    found = assess(agent, given, SETTINGS)
    values = [one.value for one in found.factors if one.value is not None]
    assert min(values) - 1e-6 <= found.value <= max(values) + 1e-6
    assert sum(one.contribution for one in found.factors) == pytest.approx(found.value, abs=1e-6)
    assert sum(one.weight for one in found.factors) == pytest.approx(1)
    assert found.threshold is not None
    assert found.met is (found.value >= found.threshold)


@given(scores, st.sampled_from([name for name, _ in WEIGHTS]), units)
def test_a_better_factor_never_lowers_the_composite(
    given: CompositeScores, name: str, other: float
) -> None:
    low, high = sorted((getattr(given, name), other))
    before = assess("planner", given.replace(**{name: low}), SETTINGS)
    after = assess("planner", given.replace(**{name: high}), SETTINGS)
    assert before.value <= after.value
    order = ["VERY_LOW", "LOW", "MODERATE", "HIGH"]
    assert order.index(before.level) <= order.index(after.level)


def test_the_reason_names_the_weakest_factor_and_what_would_lift_it() -> None:
    given = CompositeScores(0.85, 0.90, 0.75, 0.5, (("agent_history_score", "5 of 10 runs"),))
    found = assess("patcher", given, SETTINGS)
    assert found.why == (
        "Confidence 77.50% is below the 80.00% that patcher needs. Weakest factor: Agent History "
        "50.00% (5 of 10 runs). 62.50% there would be enough. What lifts it: runs of this agent "
        "that meet its threshold, within the look-back time."
    )
    lifted = assess("patcher", given.replace(agent_history_score=0.625), SETTINGS)
    assert (lifted.met, lifted.why) == (True, "confident, proceed with caution")


@given(scores, agents)
def test_what_the_reason_says_is_enough_is_enough(given: CompositeScores, agent: str) -> None:
    found = assess(agent, given, SETTINGS)
    factor = weakest(found.factors)
    if found.met or factor is None or factor.value is None or found.threshold is None:
        return
    needed = factor.value + (found.threshold - found.value) / factor.weight
    enough = " there would be enough." in found.why
    assert enough is reaches(1.0, needed)
    if enough:
        lifted = given.replace(**{factor.name: min(1.0, needed + 1e-5)})
        assert assess(agent, lifted, SETTINGS).met


@table
def test_agent_type_of_an_event(name: str, mapped: tuple[Any, ...], meant: str) -> None:
    assert type_of_event(name, SETTINGS.replace(agents=mapped)) == meant


BAD = [nan, inf, -inf, -0.01, 1.01, True, "0.8", [0.8], 10**400, -(10**5000)]


@pytest.mark.parametrize("value", BAD, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", [name for name, _ in WEIGHTS])
def test_a_score_that_is_none(name: str, value: Any) -> None:
    with pytest.raises(ConfidenceError, match=rf"^{name}: value .{{1,60}}: allowed: a number from"):
        assess("planner", CompositeScores(**{name: value}), SETTINGS)
    with pytest.raises(ConfidenceError, match="no factor is given; allowed: knowledge_base_score"):
        assess("planner", CompositeScores(), SETTINGS)


RESULTS: list[tuple[Any, str]] = [
    (None, "retrieval_results: value None: allowed: a list"),
    ("text", "retrieval_results: value 'text': allowed: a list"),
    ([0.8], r"retrieval_results\[0\]: allowed: a mapping with a similarity"),
    ([{"text": "a"}], r"retrieval_results\[0\]: allowed: a mapping with a similarity"),
    ([{"similarity": 0.8}, {"similarity": nan}], r"\[1\].similarity: value nan: allowed: a finite"),
    ([{"similarity": "high"}], r"\[0\].similarity: value 'high': allowed: a finite number"),
    ([{"similarity": 1.1}], r"\[0\].similarity: value 1.1: allowed: from -1 to 1"),
    ([{"similarity": True}], r"\[0\].similarity: value True"),
]


@pytest.mark.parametrize(("results", "message"), RESULTS)
def test_retrieval_results_that_are_none(results: Any, message: str) -> None:
    with pytest.raises(ConfidenceError, match=message):
        knowledge_base_score(results)
    assert knowledge_base_score([{"similarity": 1.0000001}]) == 1.0  # rounding is no error
    with pytest.raises(ConfidenceError, match="threshold: value 7: allowed: a number from 0 to 1"):
        knowledge_base_score([], 7)


@pytest.mark.parametrize("agent", ["planr", "", None, 3, "default"])
def test_an_agent_type_without_a_threshold(agent: Any) -> None:
    assert [known_type(one, SETTINGS) for one in ("DGTS Enforcer", " Patcher ")] == [
        *("dgts_enforcer", "patcher")
    ]
    with pytest.raises(ConfidenceError, match="allowed: planner, patcher, validator, dgts_enf"):
        known_type(agent, SETTINGS)
