"""What is read of a judge's reply about a turn, and what is dropped."""

from __future__ import annotations

import json

import pytest

from groundwire.judge.turn_answer import (
    MOST_WORDS,
    OMITTED,
    Answer,
    Said,
    answer_fields,
    answer_from,
    plain_why,
    read_answer,
)
from tests.support.tables import table

ROW = {"n": 2, "probability": 90, "kind": "completeness_claim", "why": "call #3 failed"}
SAID = Said(2, 90, "completeness_claim", "call #3 failed", 3)
WHOLE = json.dumps({"statements": [ROW]})


def read(text: str) -> Answer:
    return read_answer(text, {1, 2, 3}, calls=5)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Let me see {{braces}} [and] more.\n\n{WHOLE}\nI hope that helps.",
        json.dumps([ROW]),
        'First {"statements": []}, no: ' + WHOLE,
        json.dumps({"statements": [ROW], "confidence": 1}),
    ],
)
def test_an_answer_with_whatever_stands_around_it(text: str) -> None:
    answer = read(text)
    assert (answer.said, answer.whole, answer.dropped) == ((SAID,), True, 0)
    assert answer.about(2) == SAID
    assert answer.about(3) == Said(3, OMITTED)


def test_an_empty_answer_doubts_nothing() -> None:
    answer = read('{"statements": []}')
    assert (answer.said, answer.problem) == ((), "")
    assert answer.about(1) == Said(1, OMITTED)


def test_of_an_answer_that_breaks_off_the_rest_is_not_known() -> None:
    answer = read(WHOLE[:-2] + ', {"n": 3, "probability": 4')
    assert (answer.said, answer.whole) == ((SAID,), False)
    assert answer.about(1) is answer.about(3) is None


@pytest.mark.parametrize("text", ["", "no", "{", "[]", "[1, 2]", '{"statements": 3}', "[" * 99_999])
def test_a_reply_without_an_answer_is_a_problem(text: str) -> None:
    assert read(text).problem == "the reply holds no answer"
    assert read(text).about(1) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"n": 9},
        {"n": 0},
        {"n": "2"},
        {"n": True},
        {"n": 2.0},
        {"n": [2]},
        {"probability": 101},
        {"probability": -1},
        {"probability": float("nan")},
        {"probability": "90"},
        {"probability": None},
        {"probability": True},
        {"kind": "verdict"},
        {"kind": 7},
    ],
)
def test_an_entry_that_does_not_hold_is_dropped(changes: dict[str, object]) -> None:
    answer = read(json.dumps({"statements": [{**ROW, **changes}]}))
    assert (answer.said, answer.dropped, answer.whole) == ((), 1, True)
    if answer.unread:
        assert answer.about(2) is None


def test_a_statement_that_is_named_twice_is_not_believed() -> None:
    answer = read(json.dumps({"statements": [ROW, {**ROW, "probability": 0}]}))
    assert (answer.said, answer.unread, answer.dropped) == ((), (2,), 2)


@pytest.mark.parametrize("kind", ["", "none", "None", None, " null "])
def test_no_kind_is_allowed(kind: str | None) -> None:
    [said] = read(json.dumps({"statements": [{**ROW, "kind": kind}]})).said
    assert said.kind == ""


@pytest.mark.parametrize(
    ("why", "line"),
    [
        ("two\nlines\tand\r\nmore", "two lines and more"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("a\u202eb\u200bc\u2028d\ud800e", "a b c d e"),
        (" ".join("word" for _ in range(30)), " ".join("word" for _ in range(MOST_WORDS)) + "..."),
        ("x" * 500, "x" * 157 + "..."),
    ],
)
def test_a_reason_is_one_short_plain_line(why: str, line: str) -> None:
    assert plain_why(why) == line


@table
def test_the_call_that_a_reason_names(why: str, call: int) -> None:
    [said] = read(json.dumps({"statements": [{**ROW, "why": why}]})).said
    assert said.call == call


def test_an_answer_as_plain_data_and_back() -> None:
    answer = read(WHOLE).replace(model="m", cost=0.1)
    assert answer_from(json.loads(json.dumps(answer_fields(answer)))) == answer
