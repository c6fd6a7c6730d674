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


@pytest.mark.parametrize("made", [0, 200])
@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, 2, 3), {}), ((1,), {"z": 1}), ((1,), {"x": 1}), ((), {"y": 1}), ((), {"z": 1})],
)
def test_wrong_fields_are_refused(
    values: tuple[int, ...], named: dict[str, int], made: int
) -> None:
    class Place(Record):
        x: int
        y: int = 2

    assert {Place(1, y=3) for _ in range(made)} <= {Place(x=1, y=3)}
    with pytest.raises(TypeError, match="Place"):
        Place(*values, **named)
    assert Place(1) == Place(1, 2)


def test_records_are_the_same_however_many_there_are() -> None:
    class Place(Record):
        x: int
        y: int = 2

    first = Place(7, 8)
    for number in range(300):
        place = Place(number)
        assert (place.x, place.y) == (number, 2)
        assert Place(y=number, x=1) == Place(1, number)
    assert Place(7, 8) == first


def test_a_default_stands_behind_the_fields_without_one() -> None:
    with pytest.raises(TypeError, match="Wrong: a field"):

        class Wrong(Point):
            z: int  # type: ignore[misc]


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
