"""Records behave like frozen dataclasses."""

from __future__ import annotations

import pytest

from groundwire.record import Record


class Point(Record):
    x: int
    y: int = 2


class Named(Point):
    name: str = "p"


def test_fields_in_order_by_keyword_and_by_default() -> None:
    assert (Point(1).x, Point(1).y) == (1, 2)
    assert Point(1, 2) == Point(x=1) == Point(y=2, x=1)
    assert Named(1, name="q").name == "q"
    assert Named._fields == ("x", "y", "name")


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"z": 1})])
def test_wrong_fields_are_refused(values: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*values, **named)


def test_immutable_and_without_a_dict() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="immutable"):
        point.x = 5  # type: ignore[misc]
    assert not hasattr(point, "__dict__")


def test_replace_equality_hash_and_repr() -> None:
    assert Point(1).replace(y=5) == Point(1, 5)
    assert Point(1) != Named(1)
    assert hash(Point(1)) == hash(Point(1, 2))
    assert repr(Point(1)) == "Point(x=1, y=2)"
