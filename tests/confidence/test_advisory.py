"""Requirement group 001: the formula, the flags, the rubric, the words of the adapter."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.confidence.advisory.engines import EVENT_TYPE, select_advisory, take_advisory
from groundwire.confidence.advisory.formula import (
    FLAGS,
    advisory_flag,
    assess,
    assess_qualities,
    calculate_confidence,
    percent,
    two_decimals,
)
from groundwire.confidence.advisory.parse import parse_response, stated_confidence, warning
from groundwire.confidence.advisory.rubric import (
    Chunk,
    Rubric,
    response_points,
    retrieval_points,
    source_points,
)
from groundwire.confidence.advisory.service import advisory_fields, score_document
from groundwire.errors import ConfidenceError
from tests.support.tables import table, tables

TABLES = tables(__file__)
HIGH, MEDIUM, LOW, VERY_LOW = FLAGS
units = st.floats(0, 1)
POINTS = TABLES["points"]


@pytest.mark.parametrize(
    ("points", "literal", "decided", "flag"), [r[1:] for r in POINTS], ids=[r[0] for r in POINTS]
)
def test_points(points: tuple[float, ...], literal: float, decided: float, flag: str) -> None:
    assert calculate_confidence(*points) == pytest.approx(literal)  # points are no qualities
    qualities = [value / cap for value, cap in zip(points, (0.4, 0.3, 0.3), strict=True)]
    assessed = assess_qualities(*qualities)
    assert assessed.value == pytest.approx(decided)
    assert assessed.level == flag


@table
def test_only_the_result_is_clamped(qualities: tuple[float, ...], value: float) -> None:
    assert calculate_confidence(*qualities) == pytest.approx(value)


@pytest.mark.parametrize(("value", "flag"), TABLES["flag_table"])
def test_flag(value: float, flag: str) -> None:
    assert advisory_flag(value) == flag


@given(st.tuples(units, units, units), st.integers(0, 2), units)
def test_a_better_quality_never_lowers(
    qualities: tuple[float, float, float], which: int, other: float
) -> None:
    better = list(qualities)
    better[which] = max(better[which], other)
    low, high = calculate_confidence(*qualities), calculate_confidence(*better)
    assert 0 <= low <= high + 1e-12 <= 1 + 1e-12


NOT_FINITE: list[Any] = [math.nan, math.inf, -math.inf, "0.5", None, True, [0.5], 10**400]


@pytest.mark.parametrize("value", NOT_FINITE, ids=lambda value: repr(value)[:12])
def test_what_is_no_number_is_refused(value: Any) -> None:
    for inputs in ((value, 0, 0), (0, value, 0), (0, 0, value)):
        with pytest.raises(ConfidenceError, match="allowed: a finite number"):
            calculate_confidence(*inputs)
    with pytest.raises(ConfidenceError, match="confidence"):
        advisory_flag(value)


@pytest.mark.parametrize("value", [0.49, 0.91, math.nan, "0.7", True])
def test_a_threshold_leaves_every_flag_its_band(value: Any) -> None:
    with pytest.raises(ConfidenceError, match=r"threshold: .* a number from 0\.5 to 0\.9"):
        assess(0.8, threshold=value)
    assert [advisory_flag(0.75, threshold) for threshold in (0.75, 0.8)] == [MEDIUM, LOW]
    assert assess(0.65).why == "Advisory only — 65% confidence: verify required"
    with pytest.raises(ConfidenceError, match="a number from 0 to 1"):
        advisory_flag(-0.1)


@pytest.mark.parametrize(("similarities", "points"), TABLES["retrieved"], ids=str)
def test_retrieval(similarities: list[float], points: float) -> None:
    found = retrieval_points([Chunk(value) for value in similarities])
    assert found.points == pytest.approx(points, abs=1e-6)
    assert found.quality == pytest.approx(points / 0.4, abs=1e-6)


@pytest.mark.parametrize(("sources", "points"), TABLES["sources"], ids=str)
def test_source(sources: list[str], points: float) -> None:
    assert source_points([Chunk(0.5, one) for one in sources]).points == points


WHOLE = {"summary": "up", "confidence": 0.8, "market_context": {"trend": "up"}}
RESPONSES: list[tuple[str, dict[str, Any] | None, float]] = [
    ("complete", WHOLE, 0.3),
    ("no optional field", {**WHOLE, "market_context": None}, 0.2),
    ("blank summary", {**WHOLE, "summary": " "}, 0.1),
    ("zero is there", {**WHOLE, "confidence": 0}, 0.3),
    ("no required field", {"market_context": 1}, 0.1),
    ("invalid JSON", None, 0.0),
]


@pytest.mark.parametrize(
    ("response", "points"), [r[1:] for r in RESPONSES], ids=[r[0] for r in RESPONSES]
)
def test_response(response: dict[str, Any] | None, points: float) -> None:
    assert response_points(response).points == points


BAD_RUBRICS = [(0.6, 0.8), (0.6, 0.6), (0.8, 0.0), (1.1, 0.5), (math.nan, 0.6)]


@pytest.mark.parametrize(("high", "medium"), BAD_RUBRICS)
def test_cut_offs_that_cannot_be(high: float, medium: float) -> None:
    with pytest.raises(ConfidenceError, match="relevance"):
        retrieval_points([Chunk(0.5)], Rubric(high, medium))


#: A001-4 against the literal `|| 0.5`: an honest 0 stays, what is no number is told.
STATED_VALUES: list[tuple[Any, float, str]] = [
    (0.8, 0.8, ""),
    (0, 0.0, ""),
    (1, 1.0, ""),
    ("0.8", 0.8, ""),
    (" 0.8 ", 0.8, ""),
    (-0.2, 0.0, "clamped"),
    (1.5, 1.0, "clamped"),
    ("85", 1.0, "clamped"),
    (None, 0.5, "unparsed"),
    ("", 0.5, "unparsed"),
    ("abc", 0.5, "unparsed"),
    ("nan", 0.5, "unparsed"),
    ("Infinity", 0.5, "unparsed"),
    ("0_1", 0.5, "unparsed"),
    ("٠.٨", 0.5, "unparsed"),
    (math.nan, 0.5, "unparsed"),
    (math.inf, 0.5, "unparsed"),
    (10**400, 0.5, "unparsed"),
    (True, 0.5, "unparsed"),
    (False, 0.5, "unparsed"),
    ([0.8], 0.5, "unparsed"),
    ({}, 0.5, "unparsed"),
]


@pytest.mark.parametrize(("value", "read", "reason"), STATED_VALUES, ids=lambda v: repr(v)[:12])
def test_stated_confidence(value: Any, read: float, reason: str) -> None:
    assert (stated_confidence(value).confidence, stated_confidence(value).reason) == (read, reason)


BROKEN_RESPONSES = ["{", "", "[0.9]", "null", b"\xff", '{"confidence": NaN}', "[" * 100_000, 3]


@pytest.mark.parametrize("raw", BROKEN_RESPONSES, ids=lambda raw: repr(raw)[:16])
def test_a_response_that_is_no_object(raw: Any) -> None:
    response = parse_response(raw)
    assert (response.fields, response.stated.confidence) == (None, 0.5)
    assert response.stated.reason == "unparsed"


def test_the_warning() -> None:
    said = "[RAG Adapter] Low confidence (0.50 < 0.7). Advisory-only."
    assert warning(0.5) == said
    assert warning(0.7) == ""


@pytest.mark.parametrize(("value", "decimals", "per_cent"), TABLES["shown"])
def test_display(value: float, decimals: str, per_cent: int) -> None:
    assert (two_decimals(value), percent(value)) == (decimals, per_cent)


@given(units, st.floats(0.5, 0.9))
@example(0.546875, 0.55)  # 100 times 0.55 is more than 55 as a float
def test_what_is_shown_is_on_the_right_side_of_the_threshold(value: float, wish: float) -> None:
    threshold = round(wish, 2)
    met = round(value, 6) >= threshold
    assert (float(two_decimals(value, threshold)) >= threshold) == met
    assert (percent(value, threshold) >= round(threshold * 100)) == met


@pytest.mark.parametrize(("value", "flag", "usable", "review", "event"), TABLES["intents"])
def test_intent(value: float, flag: str, usable: bool, review: bool, event: bool) -> None:
    intent = take_advisory(WHOLE, value)
    assert intent.context["ragAdvisoryFlag"] == flag
    assert (intent.context["usable"], intent.context["review"]) == (usable, review)
    assert intent.context["ragAdvisory"] == {**WHOLE, "confidence": value}
    payload = {"confidence": value, "threshold": 0.7, "summary": "up"}
    assert intent.event == ({"eventType": EVENT_TYPE, "payload": payload} if event else None)
    assert json.loads(json.dumps(intent.context)) == intent.context


def test_the_decision_engine_uses_only_a_good_answer() -> None:
    good = select_advisory(take_advisory(WHOLE, 0.7).context)
    poor = select_advisory(take_advisory(WHOLE, 0.699).context)
    assert (good.market_info, good.warning) == ({"trend": "up"}, "")
    assert poor.market_info is None
    assert poor.warning == (
        "[Decision Engine] RAG advisory has low confidence, using engine-only logic"
    )
    assert select_advisory({}) == select_advisory({"ragAdvisory": None})
    assert select_advisory({}).warning == ""


DOCUMENTS = TABLES["documents"]


@pytest.mark.parametrize(
    ("document", "basis", "value", "flag"),
    [r[1:] for r in DOCUMENTS],
    ids=[r[0] for r in DOCUMENTS],
)
def test_document(document: Any, basis: str, value: float, flag: str) -> None:
    fields = advisory_fields(score_document(document))
    assert (fields["basis"], fields["confidence"], fields["flag"]) == (basis, value, flag)
    assert fields["met"] == (value >= 0.7)
    assert json.loads(json.dumps(fields)) == fields


BAD_DOCUMENTS: list[tuple[Any, str]] = [
    ([1], "found a JSON list; allowed: an object"),
    (None, "found a JSON null"),
    ({"response": WHOLE, "chunks": {}}, "chunks: found a JSON object; allowed: a list"),
    ({"response": WHOLE, "chunks": [3]}, r"chunks\[0\]: found a JSON number"),
    ({"response": WHOLE, "chunks": [{}]}, r"chunks\[0\]: allowed: a key similarity"),
    ({"response": WHOLE, "chunks": [{"similarity": 2}]}, r"chunks\[0\].similarity: value 2"),
    ({"response": WHOLE, "chunks": [{"score": "high"}]}, r"chunks\[0\].score: value 'high'"),
    (
        {"response": WHOLE, "chunks": [{"score": 0, "source_type": "blog"}]},
        r"chunks\[0\].source_type: value 'blog': allowed: government, regulatory",
    ),
]


@pytest.mark.parametrize(("document", "said"), BAD_DOCUMENTS, ids=lambda value: str(value)[:30])
def test_a_document_that_cannot_be_scored(document: Any, said: str) -> None:
    with pytest.raises(ConfidenceError, match=said):
        score_document(document)
