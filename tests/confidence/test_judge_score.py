"""The score in a judge's reply, as a person reads it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.formula.judge_score import UNPARSED_SCORE, parse_score

#: Reply, score, no score found, clamped: the decided readings of requirement group 002, rows
#: 002-V22 to 002-V44 among them.
DECIDED = [
    ("0.85", 0.85, False, False),
    ("Confidence: 0.85", 0.85, False, False),
    ("Score .7", 0.7, False, False),
    ("1.00", 1.0, False, False),
    ("0", 0.0, False, False),
    ("100%", 1.0, False, False),
    ("8/10", 0.8, False, False),
    ("85%", 0.85, False, False),
    ("90%", 0.9, False, False),
    ("1 out of 10", 0.1, False, False),
    ("Step 1: the score is 0.3", 0.3, False, False),
    ("GPT-4o-mini v1.0 says 0.4", 0.4, False, False),
    ("10 of 10 checks: 0.25", 0.25, False, False),
    ("I would say 2 gaps, so 0.6", 0.6, False, False),
    ("nan", 0.5, True, False),
    ("inf", 0.5, True, False),
    ("1_0", 0.5, True, False),
    ("1.5", 1.0, False, True),
    ("-0.5", 0.0, False, True),
    ("0,85", 0.85, False, False),
    ("", 0.5, True, False),
    ("no idea", 0.5, True, False),
    ("0.95-1.0", 0.95, False, False),
    ('{"confidence": 0.4}', 0.4, False, False),
]


@pytest.mark.parametrize(("reply", "score", "parse_error", "clamped"), DECIDED)
def test_decided_readings(reply: str, score: float, parse_error: bool, clamped: bool) -> None:
    found = parse_score(reply)
    assert (found.score, found.parse_error, found.clamped) == (score, parse_error, clamped)


@pytest.mark.parametrize(
    ("reply", "score", "how"),
    [
        # JSON, whole or within something else
        ('{"confidence": 1, "why": "0.2 of it"}', 1.0, "json"),
        ('```json\n{"confidence": 0.7, "gaps": []}\n```', 0.7, "json"),
        ('Here it is: {"score": 0.3}. Anything else?', 0.3, "json"),
        ('{"confidence": "85%"}', 0.85, "json"),
        ('{"confidence": " 8/10 "}', 0.8, "json"),
        ('{"a": {"b": 1}, "confidence": 0.2}', 0.2, "json"),
        ('{"confidence": null, "score": 0.3}', 0.3, "json"),
        # labelled
        ("Confidence: **0.9**", 0.9, "labelled"),
        ("confidence level: high (0.9)", 0.9, "labelled"),
        ("Score: 0,85", 0.85, "labelled"),
        ("llm_score = 0.35", 0.35, "labelled"),
        ("The range 0.80-0.94 fits, so confidence: 0.86", 0.86, "labelled"),
        ("First score: 0.2. After a second look, score: 0.6.", 0.6, "labelled"),
        ("Score: -0.5", 0.0, "labelled"),
        ("My confidence is 1.5.", 1.0, "labelled"),
        ("confidence 0.95\u20131.0", 0.95, "labelled"),
        # ranges
        ("between 0.7 and 0.8", 0.7, "range"),
        ("0.50 to 0.79", 0.5, "range"),
        # decimals
        ("**0.85**", 0.85, "decimal"),
        ("0.85.", 0.85, "decimal"),
        ("Score (0-1): 0.9", 0.9, "decimal"),
        ("score between 0 and 1: 0.7", 0.7, "decimal"),
        ("0.4 by version 1.0", 0.4, "decimal"),
        ("an underscore 0.3", 0.3, "decimal"),
        # ratios and percentages
        ("Confidence: 8.5/10", 0.85, "ratio"),
        ("3 of 4 points are there, 8 out of 10", 0.8, "ratio"),
        ("0.9/1.0", 0.9, "ratio"),
        ("12/10", 1.0, "ratio"),
        ("Confidence: 85%", 0.85, "percent"),
        ("90 percent", 0.9, "percent"),
        ("87.5 %", 0.875, "percent"),
        # 0 and 1
        ("Confidence: 1", 1.0, "bit"),
        ("Confidence: 0.", 0.0, "bit"),
        ("My answer:\n1\n", 1.0, "bit"),
        ("8.5e-1", 0.85, "number"),
        ("85", 1.0, "number"),
    ],
)
def test_other_readings(reply: str, score: float, how: str) -> None:
    found = parse_score(reply)
    assert (found.score, found.how, found.parse_error) == (score, how, False)


@pytest.mark.parametrize(
    "reply",
    [
        "Step 1: no idea",
        "The context has 3.5 documents",
        "version 1.0 only",
        "on 2024-01-01, release 1.0.3",
        "I see 5 of 0",
        '{"confidence": true}',
        '{"confidence": null}',
        '{"confidence": "high"}',
        "-0.5 is what I would say",
        "0x1 or 1_0",
        "1e400",
        "9" * 400,
        '{"confidence": 1' + "0" * 400 + "}",
        "NaN%",
        "\u0661",
    ],
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
    started = time.process_time()
    parse_score(part * 100_000)
    assert time.process_time() - started < 1
