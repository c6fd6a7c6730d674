"""The formula and its combination with a judge's score: rows of group 002, and what always holds.

Where the source contradicts itself, the row holds the decided value and says so.
"""

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.errors import ConfidenceError
from groundwire_confidence.formula import (
    NO_DOCUMENTS,
    assess_documents,
    assess_judged,
    combine,
    formula_breakdown,
)
from groundwire_confidence.judge_score import UNPARSED_SCORE, parse_score
from tests.support.growth import function_calls
from tests.support.tables import rows


def documents(values: list[float]) -> list[dict[str, Any]]:
    return [{"similarity": value} for value in values]


def formula(_case: str, values: list[float], characters: int) -> tuple[object, ...]:
    assessment = assess_documents(documents(values), characters)
    parts = formula_breakdown(assessment)
    names = ("similarity_score", "source_boost", "length_boost")
    return assessment.value, [parts[name] for name in names]


def score(reply: object) -> tuple[object, ...]:
    found = parse_score(reply)
    assert bool(found.how) != found.parse_error
    return found.score, found.parse_error, found.clamped


test_row = rows(
    __file__,
    ConfidenceError,
    formula_rows=formula,
    documents=lambda given: assess_documents(given, 10),
    combine=lambda scores: combine(assess_documents([], 0), *scores),
    one_score_has_one_verdict=lambda value: assess_judged(value).level,
    decided_readings=score,
    other_readings=lambda reply: (parse_score(reply).score, parse_score(reply).how),
    no_score=lambda reply: score(reply) == (UNPARSED_SCORE, True, False),
)


def test_002_v20_sums_beyond_one_are_clamped() -> None:
    formula = assess_documents([*documents([0.9] * 4), {"text": "x"}], 0, (1.0, 1.0, 1.0))
    assert formula.value == combine(formula, 0.9, 1.0, 1.0).value == 1.0
    nothing = assess_documents(None, 300)
    assert (nothing.why, combine(nothing, 0.9, 0.6, 0.4).value) == (NO_DOCUMENTS, 0.36)
    assert combine(assess_documents(documents([0.9, 0.85]), 150), 0.5).value == 0.6908


UNITS = st.floats(0, 1)
VALUES = st.lists(st.floats(-2, 2), max_size=8)


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


@given(st.text(alphabet='0123456789.,-%/{}":_ eEofconfidencesrtu\n\u2013') | st.text())
def test_any_reply_gives_a_score_from_0_to_1(reply: str) -> None:
    found = parse_score(reply)
    assert 0 <= found.score <= 1
    assert bool(found.how) != found.parse_error


@pytest.mark.parametrize("part", ["{", "0.", "score ", "1/", "9", "0.5 ", "confidence\n"])
def test_a_long_reply_does_not_take_long(part: str) -> None:
    few, many = (function_calls(partial(parse_score, part * n)) for n in (2_000, 20_000))
    assert many < 12 * few
