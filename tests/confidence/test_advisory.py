"""Requirement group 001: the formula, the flags, the rubric, the words of the adapter."""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.confidence.advisory.engines import EVENT_TYPE, select_advisory, take_advisory
from groundwire.confidence.advisory.formula import (
    advisory_flag,
    assess,
    assess_qualities,
    calculate_confidence,
    percent,
    two_decimals,
)
from groundwire.confidence.advisory.parse import parse_response, stated_confidence
from groundwire.confidence.advisory.rubric import (
    Chunk,
    Rubric,
    response_points,
    retrieval_points,
    source_points,
)
from groundwire.confidence.advisory.service import advisory_fields, score_document
from groundwire.errors import ConfidenceError
from tests.support.tables import rows

WHOLE = {"summary": "up", "confidence": 0.8, "market_context": {"trend": "up"}}


def weighed(_case: str, points: list[float]) -> tuple[object, ...]:
    qualities = [value / cap for value, cap in zip(points, (0.4, 0.3, 0.3), strict=True)]
    assessed = assess_qualities(*qualities)
    assert f"{percent(assessed.value)}% confidence" in assessed.why
    return calculate_confidence(*points), assessed.value, assessed.level  # points are no qualities


def retrieved(similarities: list[float]) -> float:
    found = retrieval_points([Chunk(value) for value in similarities])
    assert round(found.quality * 0.4, 6) == round(found.points, 6)
    return found.points


def stated(value: object) -> tuple[object, ...]:
    found = stated_confidence(value)
    return found.confidence, found.reason


def broken(part: str, times: int) -> bool:
    assert parse_response(3).fields is None
    response = parse_response((part * times).encode("latin-1"))
    return response.fields is None and response.stated == stated_confidence(None)


def intent(value: float) -> tuple[object, ...]:
    found = take_advisory(WHOLE, value)
    assert found.context["ragAdvisory"] == {**WHOLE, "confidence": value}
    assert json.loads(json.dumps(found.context)) == found.context
    payload = {"confidence": value, "threshold": 0.7, "summary": "up"}
    assert found.event in (None, {"eventType": EVENT_TYPE, "payload": payload})
    named = [found.context[name] for name in ("ragAdvisoryFlag", "usable", "review")]
    return *named, found.event is not None


def document(_case: str, written: Any) -> tuple[object, ...]:
    fields = advisory_fields(score_document(written))
    assert fields["met"] == (fields["confidence"] >= 0.7)
    assert json.loads(json.dumps(fields)) == fields
    return fields["basis"], fields["confidence"], fields["flag"]


test_row = rows(
    __file__,
    ConfidenceError,
    points=weighed,
    clamped=lambda qualities: calculate_confidence(*qualities),
    flag=advisory_flag,
    threshold=lambda value: assess(0.8, threshold=value),
    retrieval=retrieved,
    rubric=lambda high, medium: retrieval_points([Chunk(0.5)], Rubric(high, medium)),
    source=lambda sources: source_points([Chunk(0.5, one) for one in sources]).points,
    response=lambda change: response_points(None if change is None else WHOLE | change).points,
    stated=stated,
    broken=broken,
    display=lambda value: (two_decimals(value), percent(value)),
    intent=intent,
    document=document,
)


@given(st.floats(0, 1), st.floats(0.5, 0.9))
@example(0.546875, 0.55)  # 100 times 0.55 is more than 55 as a float
def test_what_is_shown_is_on_the_right_side_of_the_threshold(value: float, wish: float) -> None:
    threshold = round(wish, 2)
    met = round(value, 6) >= threshold
    assert (float(two_decimals(value, threshold)) >= threshold) == met
    assert (percent(value, threshold) >= round(threshold * 100)) == met


def test_the_decision_engine_uses_only_a_good_answer() -> None:
    good, poor = (select_advisory(take_advisory(WHOLE, value).context) for value in (0.7, 0.699))
    assert (good.market_info, poor.market_info) == ({"trend": "up"}, None)
    assert select_advisory({}) == select_advisory({"ragAdvisory": None})
    assert select_advisory({}).warning == ""
