"""Which numbers are quantities, what they measure, and which of them are candidates."""

import pytest

from groundwire.scan.numbers import THINGS, find_numbers, quantity_candidates
from groundwire.scan.quantities import Quantity
from groundwire.text.mask import mask
from tests.support.tables import rows, tables


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


def count(text: str) -> tuple[object, ...]:
    one = next(q for q in numbers(text) if q.kind == "count")
    return text[one.start : one.end], one.value, one.outcome, one.total


def range_and_estimate(text: str) -> tuple[object, ...]:
    (quantity,) = numbers(text)
    return quantity.approximate, quantity.upper


def candidates(text: str) -> list[object]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [[text[at:end], name.removeprefix("quantity.")] for at, end, name in found]


def things(text: str) -> list[object]:
    (one,) = [one for one in numbers(text) if one.kind == THINGS]
    return [text[one.start : one.end], one.unit]


test_row = rows(
    __file__,
    count=count,
    range_and_estimate=range_and_estimate,
    candidates=candidates,
    things=things,
)
