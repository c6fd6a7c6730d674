"""Which numbers are quantities, what they measure, and which of them are candidates."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.numbers import (
    THINGS,
    find_numbers,
    quantity_candidates,
)
from groundwire.scan.quantities import Quantity
from groundwire.text.mask import mask
from tests.support.tables import table, tables

FENCE = "```python\nassert 3 == 3  # 100% of 42 tests, 9/10\n```"


def numbers(text: str) -> list[Quantity]:
    return find_numbers(mask(text).text)


def evidence(text: str, kind: str = "") -> list[str]:
    return [text[q.start : q.end] for q in numbers(text) if kind in ("", q.kind)]


def ids(text: str) -> list[tuple[str, str]]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [(text[start:end], name.removeprefix("quantity.")) for start, end, name in found]


KINDS = tables(__file__)["quantities"]


@pytest.mark.parametrize(
    ("kind", "text", "expected"), [(kind, *row) for kind, rows in KINDS.items() for row in rows]
)
def test_quantities(kind: str, text: str, expected: list[str]) -> None:
    assert evidence(text, kind) == expected


@table
def test_count(text: str, found: str, value: float, outcome: str, total: float | None) -> None:
    quantity = next(q for q in numbers(text) if q.kind == "count")
    assert text[quantity.start : quantity.end] == found
    assert (quantity.value, quantity.total, quantity.outcome) == (value, total, outcome)


@table
def test_range_and_estimate(text: str, approximate: bool, upper: float | None) -> None:
    (quantity,) = numbers(text)
    assert (quantity.upper, quantity.approximate) == (upper, approximate)


@table
def test_candidates(text: str, expected: list[list[str]]) -> None:
    assert [[*one] for one in ids(text)] == expected


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


def test_a_time_that_a_run_took_stays_a_duration() -> None:
    assert ids_amounts("The import took 4.2 s.") == [("4.2 s", "quantity.duration")]
