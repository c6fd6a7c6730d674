"""Requirement group 001: the formula, the flags, the rubric, the words of the adapter."""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.base.errors import ConfidenceError
from groundwire_confidence.advisory import formula, rubric, service
from groundwire_confidence.advisory.rubric import Chunk
from groundwire_confidence.advisory.service import advisory_fields, score_document
from tests.support.tables import rows

WHOLE = {"summary": "up", "confidence": 0.8, "market_context": {"trend": "up"}}


def weighed(_case: str, points: list[float]) -> tuple[object, ...]:
    qualities = [value / cap for value, cap in zip(points, (0.4, 0.3, 0.3), strict=True)]
    assessed = formula.assess_qualities(*qualities)
    assert f"{formula.percent(assessed.value)}% confidence" in assessed.why
    plain = formula.calculate_confidence(*points)  # points are no qualities
    return plain, assessed.value, assessed.level


def retrieved(similarities: list[float]) -> float:
    found = rubric.retrieval_points([Chunk(value) for value in similarities])
    assert round(found.quality * 0.4, 6) == round(found.points, 6)
    return found.points


def answered(change: dict[str, Any] | None) -> float:
    return rubric.response_points(None if change is None else WHOLE | change).points


def stated(value: object) -> tuple[object, ...]:
    found = service.stated_confidence(value)
    return found.confidence, found.reason


def broken(part: str, times: int) -> bool:
    assert service.parse_response(3).fields is None
    response = service.parse_response((part * times).encode("latin-1"))
    return response.fields is None and response.stated == service.stated_confidence(None)


def intent(value: float) -> tuple[object, ...]:
    found = formula.take_advisory(WHOLE, value)
    assert found.context["ragAdvisory"] == {**WHOLE, "confidence": value}
    assert json.loads(json.dumps(found.context)) == found.context
    payload = {"confidence": value, "threshold": 0.7, "summary": "up"}
    assert found.event in (None, {"eventType": formula.EVENT_TYPE, "payload": payload})
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
    clamped=lambda qualities: formula.calculate_confidence(*qualities),
    flag=formula.advisory_flag,
    threshold=lambda value: formula.assess(0.8, threshold=value).met,
    retrieval=retrieved,
    rubric=lambda high, medium: rubric.retrieval_points([Chunk(0.5)], rubric.Rubric(high, medium)),
    source=lambda sources: rubric.source_points([Chunk(0.6, one) for one in sources]).points,
    response=answered,
    stated=stated,
    broken=broken,
    display=lambda value: (formula.two_decimals(value), formula.percent(value)),
    intent=intent,
    document=document,
)


@given(st.floats(0, 1), st.floats(0.5, 0.9))
@example(0.546875, 0.55)  # 100 times 0.55 is more than 55 as a float
def test_what_is_shown_is_on_the_right_side_of_the_threshold(value: float, wish: float) -> None:
    threshold = round(wish, 2)
    met = round(value, 6) >= threshold
    assert (float(formula.two_decimals(value, threshold)) >= threshold) == met
    assert (formula.percent(value, threshold) >= round(threshold * 100)) == met


def test_the_decision_engine_uses_only_a_good_answer() -> None:
    taken = [formula.take_advisory(WHOLE, value).context for value in (0.7, 0.699)]
    used = [formula.select_advisory(one).market_info for one in taken]
    assert used == [{"trend": "up"}, None]
    assert formula.select_advisory({}) == formula.select_advisory({"ragAdvisory": None})
    assert formula.select_advisory({}).warning == ""
