"""The score in a judge's reply, as a person reads it."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.formula.judge_score import UNPARSED_SCORE, parse_score
from tests.support.growth import function_calls
from tests.support.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("reply", "score", "parse_error", "clamped"), TABLES["decided"])
def test_decided_readings(reply: str, score: float, parse_error: bool, clamped: bool) -> None:
    found = parse_score(reply)
    assert (found.score, found.parse_error, found.clamped) == (score, parse_error, clamped)


@pytest.mark.parametrize(
    ("reply", "score", "how"),
    TABLES["other_readings"],
)
def test_other_readings(reply: str, score: float, how: str) -> None:
    found = parse_score(reply)
    assert (found.score, found.how, found.parse_error) == (score, how, False)


@pytest.mark.parametrize(
    "reply",
    TABLES["what_holds_no_score_is_a_parse_error"],
)
def test_what_holds_no_score_is_a_parse_error(reply: str) -> None:
    found = parse_score(reply)
    assert (found.score, found.parse_error, found.how) == (UNPARSED_SCORE, True, "")


@pytest.mark.parametrize("reply", [None, 0.7, b"0.7", ["0.7"], True])
def test_what_is_no_text_is_a_parse_error(reply: object) -> None:
    assert parse_score(reply).parse_error


@given(st.text(alphabet='0123456789.,-%/{}":_ eEofconfidencesrtu\n\u2013') | st.text())
def test_any_reply_gives_a_score_from_0_to_1(reply: str) -> None:
    found = parse_score(reply)
    assert 0 <= found.score <= 1
    assert bool(found.how) != found.parse_error


@given(st.floats(0, 1, allow_subnormal=False).map(lambda value: round(value, 4)))
def test_a_score_is_read_in_every_usual_form(score: float) -> None:
    for form in (
        "{:.4f}",
        "Confidence: {:.4f}",
        "I would say {:.4f}.",
        '{{"confidence": {:.4f}}}',
        "**{:.4f}**",
        "It is v2.1 and 3/4 of it is there, 50% at least. Score: {:.4f}",
    ):
        assert parse_score(form.format(score)).score == score


@pytest.mark.parametrize("part", ["{", "0.", "score ", "1/", "9", "0.5 ", "confidence\n"])
def test_a_long_reply_does_not_take_long(part: str) -> None:
    few, many = (function_calls(partial(parse_score, part * n)) for n in (2_000, 20_000))
    assert many < 12 * few
