"""Which numbers are quantities, what they measure, and which of them are candidates."""

import pytest

from groundwire.scan.numbers import THINGS, find_numbers, quantity_candidates
from groundwire.scan.quantities import Quantity
from groundwire.text.mask import mask
from tests.support.tables import table, tables


def numbers(text: str) -> list[Quantity]:
    return find_numbers(mask(text).text)


def evidence(text: str, kind: str = "") -> list[str]:
    return [text[q.start : q.end] for q in numbers(text) if kind in ("", q.kind)]


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
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    named = [[text[at:end], name.removeprefix("quantity.")] for at, end, name in found]
    assert named == expected


@table
def test_things(text: str, evidence: str, unit: str) -> None:
    found = [one for one in numbers(text) if one.kind == THINGS]
    assert [(text[one.start : one.end], one.unit) for one in found] == [(evidence, unit)]
