"""Requirement group 001: the formula, the flags, the rubric, the words of the adapter."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.confidence.advisory.engines import EVENT_TYPE, select_advisory, take_advisory
from groundwire.confidence.advisory.formula import (
    advisory_flag,
    assess_qualities,
    calculate_confidence,
    percent,
    two_decimals,
)
from groundwire.confidence.advisory.parse import parse_response, stated_confidence
from groundwire.confidence.advisory.rubric import (
    Chunk,
    response_points,
    retrieval_points,
    source_points,
)
from groundwire.confidence.advisory.service import advisory_fields, score_document
from tests.support.tables import table

units = st.floats(0, 1)


@table
def test_points(
    case: str, points: tuple[float, ...], literal: float, decided: float, flag: str
) -> None:
    assert calculate_confidence(*points) == pytest.approx(literal)  # points are no qualities
    qualities = [value / cap for value, cap in zip(points, (0.4, 0.3, 0.3), strict=True)]
    assessed = assess_qualities(*qualities)
    assert assessed.value == pytest.approx(decided)
    assert assessed.level == flag
    assert f"{percent(assessed.value)}% confidence" in assessed.why


@table
def test_only_the_result_is_clamped(qualities: tuple[float, ...], value: float) -> None:
    assert calculate_confidence(*qualities) == pytest.approx(value)


@table
def test_flag(value: float, flag: str) -> None:
    assert advisory_flag(value) == flag


@table
def test_retrieval(similarities: list[float], points: float) -> None:
    found = retrieval_points([Chunk(value) for value in similarities])
    assert found.points == pytest.approx(points, abs=1e-6)
    assert found.quality == pytest.approx(points / 0.4, abs=1e-6)


@table
def test_source(sources: list[str], points: float) -> None:
    assert source_points([Chunk(0.5, one) for one in sources]).points == points


WHOLE = {"summary": "up", "confidence": 0.8, "market_context": {"trend": "up"}}


@pytest.mark.parametrize(
    ("change", "points"),
    [
        ({}, 0.3),
        ({"market_context": None}, 0.2),
        ({"summary": " "}, 0.1),
        ({"confidence": 0}, 0.3),  # zero is there
        ({"summary": None, "confidence": None}, 0.1),
    ],
)
def test_response(change: dict[str, Any], points: float) -> None:
    assert response_points({**WHOLE, **change}).points == points
    assert response_points(None).points == 0


#: A001-4 against the literal `|| 0.5`: an honest 0 stays, what is no number is told.
STATED_VALUES: dict[str, dict[Any, float]] = {
    "": {0.8: 0.8, 0: 0.0, 1: 1.0, "0.8": 0.8, " 0.8 ": 0.8},
    "clamped": {-0.2: 0.0, 1.5: 1.0, "85": 1.0},
}
NO_NUMBERS: list[Any] = [None, "", "abc", "nan", "Infinity", "0_1", "٠.٨", [0.8], {}, True, False]


def test_stated_confidence() -> None:
    for reason, values in STATED_VALUES.items():
        for value, read in values.items():
            found = stated_confidence(value)
            assert (found.confidence, found.reason) == (read, reason), value
    for value in (*NO_NUMBERS, math.nan, math.inf, 10**400):
        found = stated_confidence(value)
        assert (found.confidence, found.reason) == (0.5, "unparsed"), value


BROKEN_RESPONSES = ["{", "", "[0.9]", "null", b"\xff", '{"confidence": NaN}', "[" * 100_000, 3]


@pytest.mark.parametrize("raw", BROKEN_RESPONSES, ids=lambda raw: repr(raw)[:16])
def test_a_response_that_is_no_object(raw: Any) -> None:
    response = parse_response(raw)
    assert (response.fields, response.stated.confidence) == (None, 0.5)
    assert response.stated.reason == "unparsed"


@table
def test_display(value: float, decimals: str, per_cent: int) -> None:
    assert (two_decimals(value), percent(value)) == (decimals, per_cent)


@given(units, st.floats(0.5, 0.9))
@example(0.546875, 0.55)  # 100 times 0.55 is more than 55 as a float
def test_what_is_shown_is_on_the_right_side_of_the_threshold(value: float, wish: float) -> None:
    threshold = round(wish, 2)
    met = round(value, 6) >= threshold
    assert (float(two_decimals(value, threshold)) >= threshold) == met
    assert (percent(value, threshold) >= round(threshold * 100)) == met


@table
def test_intent(value: float, flag: str, usable: bool, review: bool, event: bool) -> None:
    intent = take_advisory(WHOLE, value)
    assert intent.context["ragAdvisoryFlag"] == flag
    assert (intent.context["usable"], intent.context["review"]) == (usable, review)
    assert intent.context["ragAdvisory"] == {**WHOLE, "confidence": value}
    payload = {"confidence": value, "threshold": 0.7, "summary": "up"}
    assert intent.event == ({"eventType": EVENT_TYPE, "payload": payload} if event else None)
    assert json.loads(json.dumps(intent.context)) == intent.context


def test_the_decision_engine_uses_only_a_good_answer() -> None:
    good, poor = (select_advisory(take_advisory(WHOLE, value).context) for value in (0.7, 0.699))
    assert (good.market_info, poor.market_info) == ({"trend": "up"}, None)
    assert select_advisory({}) == select_advisory({"ragAdvisory": None})
    assert select_advisory({}).warning == ""


@table
def test_document(case: str, document: Any, basis: str, value: float, flag: str) -> None:
    fields = advisory_fields(score_document(document))
    assert (fields["basis"], fields["confidence"], fields["flag"]) == (basis, value, flag)
    assert fields["met"] == (value >= 0.7)
    assert json.loads(json.dumps(fields)) == fields
