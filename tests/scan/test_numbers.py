"""Which numbers are quantities, what they measure, and which of them are candidates."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.numbers import (
    AMOUNT,
    DURATION,
    EXIT,
    THINGS,
    find_numbers,
    quantity_candidates,
)
from groundwire.scan.quantities import Quantity
from groundwire.text.mask import mask
from tests.support.tables import table

FENCE = "```python\nassert 3 == 3  # 100% of 42 tests, 9/10\n```"


def numbers(text: str) -> list[Quantity]:
    return find_numbers(mask(text).text)


def evidence(text: str, kind: str = "") -> list[str]:
    return [text[q.start : q.end] for q in numbers(text) if kind in ("", q.kind)]


def ids(text: str) -> list[tuple[str, str]]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [(text[start:end], name.removeprefix("quantity.")) for start, end, name in found]


@table
def test_percent(text: str, expected: list[str]) -> None:
    assert evidence(text, "percent") == expected


@table
def test_no_percent(text: str) -> None:
    assert evidence(text, "percent") == []


@table
def test_ratio(text: str, expected: list[str]) -> None:
    assert evidence(text, "ratio") == expected


@table
def test_no_ratio(text: str) -> None:
    assert evidence(text, "ratio") == []


@table
def test_times(text: str, expected: list[str]) -> None:
    assert evidence(text, "times") == expected


@table
def test_no_times(text: str) -> None:
    assert evidence(text, "times") == []


@pytest.mark.parametrize(
    ("text", "found", "value", "total", "outcome"),
    [
        ("All 42 tests pass.", "42 tests", 42, None, "passed"),
        ("All 42 tests are passing", "42 tests", 42, None, "passed"),  # field 3 Q
        ("42 passed in 1.2s", "42 passed", 42, None, "passed"),  # pytest
        ("test result: ok. 12 passed;", "12 passed", 12, None, "passed"),  # cargo
        ("Tests: 42 total", "Tests: 42", 42, None, ""),  # jest
        ("Tests  12 passed (12)", "12 passed", 12, None, "passed"),  # vitest
        ("12 of 15 tests pass", "12 of 15 tests", 12, 15, "passed"),
        ("12 of the 15 unit tests fail", "12 of the 15 unit tests", 12, 15, "failed"),
        ("12 out of 15 passed", "12 out of 15 passed", 12, 15, "passed"),
        ("12/15 tests", "12/15 tests", 12, 15, ""),
        ("Tests: 42/42", "Tests: 42/42", 42, 42, ""),
        ("all tests pass (42/42)", "tests pass (42/42)", 42, 42, "passed"),
        ("One of the 12 tests fails", "One of the 12 tests", 1, 12, "failed"),
        ("Two tests fail", "Two tests", 2, None, "failed"),
        ("twenty-two files changed", "twenty-two files", 22, None, ""),
        ("two hundred lines", "two hundred lines", 200, None, ""),
        ("1 test failed", "1 test", 1, None, "failed"),
        ("0 errors", "0 errors", 0, None, ""),
        ("Errors: 0", "Errors: 0", 0, None, ""),
        ("1,234 files", "1,234 files", 1234, None, ""),
        ("1.5k lines of Java", "1.5k lines", 1500, None, ""),
        ("10 new test cases", "10 new test cases", 10, None, ""),
        ("3 test files", "3 test files", 3, None, ""),
        ("5 clippy warnings", "5 clippy warnings", 5, None, ""),
        ("**42** tests", "42** tests", 42, None, ""),
        ("| Tests | 42 |\n|---|---|", "42", 42, None, ""),
        ("42 tests, all passing", "42 tests", 42, None, "passed"),
        ("3 skipped", "3 skipped", 3, None, "skipped"),
    ],
)
def test_count(text: str, found: str, value: float, total: float | None, outcome: str) -> None:
    quantity = next(q for q in numbers(text) if q.kind == "count")
    assert text[quantity.start : quantity.end] == found
    assert (quantity.value, quantity.total, quantity.outcome) == (value, total, outcome)


@table
def test_no_count(text: str) -> None:
    assert evidence(text, "count") == []


@pytest.mark.parametrize(
    ("text", "upper", "approximate"),
    [
        ("~90-120 lines", 120, True),
        ("about 90 lines", None, True),
        ("40+ functions", None, True),
        ("90 lines", None, False),
        ("10\u201315 files", 15, False),
    ],
)
def test_range_and_estimate(text: str, upper: float | None, approximate: bool) -> None:
    (quantity,) = numbers(text)
    assert (quantity.upper, quantity.approximate) == (upper, approximate)


@table
def test_candidates(text: str, expected: list[list[str]]) -> None:
    assert [[*one] for one in ids(text)] == expected


@table
def test_no_candidates(text: str) -> None:
    assert ids(text) == []


PIECES = st.sampled_from(
    "70% 9/10 3x faster 42 tests pass ten of the files 12 of 15 10-20 1,234 2026-11-21 line 5 "
    "**8** _9_ 4.5 out of 10 Errors: 0 (3/3) utf-8 #7 twenty-two \u00b2 \u2013 % / : . , - |".split(
        " "
    )
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=30).map(" ".join),
    st.lists(PIECES, max_size=30).map("\n\n".join),
    st.text("0123456789%/.,:-\u2013x k*_()[]#$\n tesfilpa\u00b2", max_size=80),
    st.text(max_size=80),
)


@given(TEXTS)
def test_spans_are_valid_sorted_and_apart(text: str) -> None:
    found = numbers(text)
    assert all(0 <= q.start < q.end <= len(text) for q in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(any(c.isalnum() for c in text[q.start : q.end]) for q in found)


@given(TEXTS.filter(lambda text: "`" not in text and "~" not in text and "<" not in text))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = numbers(text)
    shift = len(FENCE) + 2
    assert numbers(f"{text}\n\n{FENCE}") == found
    moved = [q.replace(start=q.start + shift, end=q.end + shift) for q in found]
    assert numbers(f"{FENCE}\n\n{text}") == moved


def read(text: str, kind: str) -> list[tuple[str, str]]:
    found = find_numbers(mask(text).text)
    return [(text[q.start : q.end], q.unit) for q in found if q.kind == kind]


def ids_amounts(text: str) -> list[tuple[str, str]]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [(text[start:end], name) for start, end, name in found]


@table
def test_things(text: str, evidence: str, unit: str) -> None:
    assert read(text, THINGS) == [(evidence, unit)]


@table
def test_no_things(text: str) -> None:
    assert read(text, THINGS) == []


@table
def test_amount(text: str, evidence: list[str]) -> None:
    assert [found for found, _ in read(text, AMOUNT)] == evidence


def test_a_time_that_a_run_took_stays_a_duration() -> None:
    assert ids_amounts("The import took 4.2 s.") == [("4.2 s", "quantity.duration")]


def measured(text: str, kind: str) -> list[str]:
    return [text[q.start : q.end] for q in find_numbers(mask(text).text) if q.kind == kind]


@table
def test_exit_code(text: str, evidence: str) -> None:
    assert measured(text, EXIT) == [evidence]


@table
def test_no_exit_code(text: str) -> None:
    assert measured(text, EXIT) == []


@table
def test_duration(text: str, evidence: list[str]) -> None:
    assert measured(text, DURATION) == evidence


@table
def test_no_duration(text: str) -> None:
    assert measured(text, DURATION) == []
