"""The formula and its combination with a judge's score: rows of group 002, and what always holds.

Where the source contradicts itself, the row holds the decided value and says so.
"""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.formula.formula import (
    NO_DOCUMENTS,
    assess_documents,
    document_problems,
    formula_breakdown,
    length_boost,
    similarities,
    similarity_score,
    source_boost,
)
from groundwire.confidence.formula.hybrid import assess_judged, combine, hybrid_breakdown
from groundwire.errors import ConfidenceError

#: id, similarities, characters, value, (similarity, source boost, length boost)
FORMULA_ROWS = [
    ("002-V01", [0.95, 0.92, 0.88], 250, 0.9472, (0.934, 1.0, 1.0)),
    ("002-V02", [0.90, 0.85], 150, 0.818, (0.885, 0.6, 0.5)),
    ("002-V08", [], 0, 0.0, (0.0, 0.0, 0.0)),
    ("002-V08 with a long response", [], 500, 0.0, (0.0, 0.0, 0.0)),
    # decided: the best first, whatever the order
    ("002-V10", [0.5, 0.95, 0.9], 250, 0.872, (0.89, 0.6, 1.0)),
    ("002-V11", [0.8], 50, 0.67, (0.8, 0.3, 0.0)),
    ("002-V12", [0.75], 199, 0.65, (0.75, 0.0, 0.5)),
    ("002-V13", [0.76], 100, 0.688, (0.76, 0.3, 0.5)),
    ("002-V14", [0.76], 99, 0.638, (0.76, 0.3, 0.0)),
    ("002-V15", [0.2, 0.2, 0.2], 200, 0.26, (0.2, 0.0, 1.0)),
    ("002-V16", [0.9, 0.9, 0.9, 0.9], 200, 0.92, (0.9, 1.0, 1.0)),
    ("002-V17", [1.0, 1.0, 1.0], 200, 1.0, (1.0, 1.0, 1.0)),
    # decided: clamped below, too
    ("002-V18", [-0.2], 0, 0.0, (0.0, 0.0, 0.0)),
    # decided: sorted, so that the good documents are among the first three
    ("002-V19", [0.1, 0.1, 0.1, 0.9, 0.9, 0.9], 200, 0.92, (0.9, 1.0, 1.0)),
]


def documents(values: list[float]) -> list[dict[str, Any]]:
    return [{"similarity": value} for value in values]


@pytest.mark.parametrize(
    ("values", "characters", "value", "parts"),
    [row[1:] for row in FORMULA_ROWS],
    ids=[row[0] for row in FORMULA_ROWS],
)
def test_formula_rows(
    values: list[float], characters: int, value: float, parts: tuple[float, float, float]
) -> None:
    assessment = assess_documents(documents(values), characters)
    assert assessment.value == pytest.approx(value, abs=1e-9)
    names = ("similarity_score", "source_boost", "length_boost")
    expected = dict(zip(names, parts, strict=True))
    assert formula_breakdown(assessment) == pytest.approx(expected, abs=1e-9)
    assert assessment.model == "formula"


def test_002_v21_sums_beyond_one_are_clamped() -> None:
    assert assess_documents(documents([0.9] * 3), 200, (1.0, 1.0, 1.0)).value == 1.0


@pytest.mark.parametrize(
    ("name", "llm", "value"),
    [
        ("002-V03", 0.0, 0.4908),
        ("002-V04", 0.5, 0.6908),
        ("002-V05", 0.9, 0.8508),
        ("002-V06", 1.0, 0.8908),
    ],
)
def test_hybrid_rows(name: str, llm: float, value: float) -> None:
    formula = assess_documents(documents([0.90, 0.85]), 150)
    hybrid = combine(formula, llm, 0.6, 0.4)
    assert hybrid.model == "hybrid"
    assert hybrid.value == pytest.approx(value, abs=1e-9)
    assert hybrid_breakdown(hybrid, 0.6, 0.4) == {
        "formula_score": 0.818,
        "llm_score": llm,
        "formula_weight": 0.6,
        "llm_weight": 0.4,
    }


def test_002_v07_without_a_judge_the_formula_counts_once() -> None:
    formula = assess_documents(documents([0.90, 0.85]), 150)
    hybrid = combine(formula, None, 0.6, 0.4, why="no answer in time")
    assert hybrid.value == 0.818
    assert hybrid_breakdown(hybrid, 0.6, 0.4) == {
        "formula_score": 0.818,
        "llm_score": None,
        "formula_weight": 0.6,
        "llm_weight": 0.4,
        "fallback": "formula",
        "fallback_reason": "no answer in time",
    }
    assert [factor.contribution for factor in hybrid.factors] == [0.818, 0.0]


def test_002_v09_without_documents_only_the_judge_counts() -> None:
    formula = assess_documents([], 300)
    assert formula.why == NO_DOCUMENTS
    assert combine(formula, 0.9, 0.6, 0.4).value == pytest.approx(0.36)


def test_002_v20_sums_beyond_one_are_clamped() -> None:
    formula = assess_documents(documents([0.9] * 4), 0, (1.0, 0.0, 0.0))
    assert combine(formula, 0.9, 1.0, 1.0).value == 1.0


@pytest.mark.parametrize(
    ("count", "boost"), [(0, 0.0), (1, 0.3), (2, 0.6), (3, 1.0), (4, 1.0), (9, 1.0)]
)
def test_sources_are_the_documents_above_their_bound(count: int, boost: float) -> None:
    assert source_boost([0.76] * count + [0.75] * 5) == boost


@pytest.mark.parametrize(
    ("length", "boost"), [(0, 0.0), (99, 0.0), (100, 0.5), (199, 0.5), (200, 1.0), (10**9, 1.0)]
)
def test_length_boost_begins_at_its_bounds(length: int, boost: float) -> None:
    assert length_boost(length) == boost


@pytest.mark.parametrize(
    ("value", "level"),
    [
        (1.0, "HIGHLY_CONFIDENT"),
        (0.95, "HIGHLY_CONFIDENT"),
        (0.9499, "CONFIDENT"),
        (0.8, "CONFIDENT"),
        (0.7999, "MODERATE"),
        (0.5, "MODERATE"),
        (0.4999, "LOW"),
        (0.0, "LOW"),
    ],
)
def test_levels_are_those_that_the_judge_is_told(value: float, level: str) -> None:
    assert assess_judged(value).level == level


def test_a_document_without_similarity_counts_as_nothing() -> None:
    assert similarities([{"similarity": 0.4}, {"text": "x"}, {"similarity": None}]) == [0.4, 0, 0]
    assert similarities(None) == []


@pytest.mark.parametrize(
    ("docs", "message"),
    [
        ("docs", "context_docs: value 'docs': allowed: a list of documents"),
        ([{"similarity": 0.5}, 0.7], r"context_docs\[1\]: value 0.7: allowed: an object"),
        ([{"similarity": "0.7"}], r"context_docs\[0\].similarity: value '0.7': allowed: a finite"),
        ([{"similarity": True}], r"context_docs\[0\].similarity: value True: allowed: a finite"),
        ([{"similarity": float("nan")}], r"context_docs\[0\].similarity: value nan: allowed: a f"),
        ([{"similarity": float("inf")}], r"context_docs\[0\].similarity: value inf: allowed: a f"),
    ],
)
def test_what_is_no_document_is_an_error_with_its_place(docs: object, message: str) -> None:
    with pytest.raises(ConfidenceError, match=f"^{message}"):
        assess_documents(docs, 10)


def test_a_similarity_on_another_scale_is_told() -> None:
    docs = documents([87, 0.5, -1])
    assert document_problems(docs) == [
        "context_docs[0].similarity: 87 is beyond 0 to 1, taken as 1",
        "context_docs[2].similarity: -1 is beyond 0 to 1, taken as 0",
    ]


@pytest.mark.parametrize("score", [1.1, -0.1, float("nan"), True, "0.5"])
def test_a_score_beyond_its_range_is_refused(score: Any) -> None:
    formula = assess_documents([], 0)
    with pytest.raises(ConfidenceError, match="llm_score"):
        combine(formula, score)
    with pytest.raises(ConfidenceError, match="llm_score"):
        assess_judged(score)
    with pytest.raises(ConfidenceError, match="formula_weight"):
        combine(formula, 0.5, score, 0.5)


def test_the_formula_takes_less_than_a_tenth_of_a_second() -> None:
    docs = documents([number / 1000 for number in range(1000)])
    started = time.process_time()
    assess_documents(docs, 10_000)
    assert time.process_time() - started < 0.1


UNITS = st.floats(0, 1)
VALUES = st.lists(st.floats(-2, 2), max_size=8)


@given(VALUES, st.integers(0, 1000))
def test_all_parts_stay_within_their_bounds(values: list[float], length: int) -> None:
    assessment = assess_documents(documents(values), length)
    scores = [assessment.value, *formula_breakdown(assessment).values()]
    assert all(0 <= score <= 1 for score in scores)


@given(VALUES, st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_count(
    values: list[float], length: int, order: random.Random
) -> None:
    shuffled = list(values)
    order.shuffle(shuffled)
    assert assess_documents(documents(shuffled), length) == assess_documents(
        documents(values), length
    )


@given(VALUES.filter(bool), st.integers(0, 300), st.data())
def test_a_better_document_or_a_longer_response_never_lowers_it(
    values: list[float], length: int, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    better = [*values[:at], values[at] + data.draw(UNITS), *values[at + 1 :]]
    before = assess_documents(documents(values), length).value
    assert assess_documents(documents(better), length).value >= before
    assert assess_documents(documents(values), length + data.draw(st.integers(0, 300))).value >= (
        before
    )


@given(VALUES, st.integers(0, 300), UNITS, UNITS, UNITS)
def test_hybrid_lies_between_its_scores_and_never_counts_one_twice(
    values: list[float], length: int, llm: float, higher: float, weight: float
) -> None:
    formula = assess_documents(documents(values), length)
    both = combine(formula, llm, weight, 1 - weight)
    low, high = sorted((formula.value, llm))
    assert low - 1e-6 <= both.value <= high + 1e-6
    assert combine(formula, max(llm, higher), weight, 1 - weight).value >= both.value
    alone = combine(formula, None, weight, 1 - weight, why="no judge")
    assert alone.value == formula.value
    assert sum(factor.weight for factor in alone.factors) == 1
    assert [factor.value for factor in alone.factors if factor.value is not None] == [formula.value]


@given(st.lists(UNITS, max_size=3).map(lambda values: sorted(values, reverse=True)))
def test_the_best_document_has_the_largest_share(values: list[float]) -> None:
    score = similarity_score(values)
    assert score == 0 if not values else min(values) - 1e-9 <= score <= max(values) + 1e-9
    if len(values) > 1:
        assert score >= sum(values) / len(values) - 1e-9
