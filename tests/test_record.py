"""Records behave like frozen dataclasses."""

from typing import Any

import pytest

from groundwire.base.record import Record


class Point(Record):
    x: int
    y: int = 2


class Named(Point):
    name: str = "p"


_MORE = dict.fromkeys("abcdefghijmno", 0)
#: More fields than any constructor of ``record.py`` has.
Wide: Any = type("Wide", (Named,), {"__annotations__": dict.fromkeys(_MORE, int), **_MORE})


def test_fields_in_order_by_keyword_and_by_default() -> None:
    assert (Point(1).x, Point(1).y) == (1, 2)
    assert Point(1, 2) == Point(x=1) == Point(y=2, x=1)
    assert Named(1, name="q").name == "q"
    assert Named._fields == ("x", "y", "name")
    assert Point(1).replace(y=5) == Point(1, 5) != Named(1, 5)
    assert hash(Point(1)) == hash(Point(1, 2))
    assert repr(Point(1)) == "Point(x=1, y=2)"


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1,) * 17, {}), ((1,), {"z": 1}), ((1,), {"x": 1}), ((), {"y": 1}), ((), {"z": 1})],
)
@pytest.mark.parametrize("of", [Point, Wide])
def test_wrong_fields_are_refused(
    of: type[Point], values: tuple[int, ...], named: dict[str, int]
) -> None:
    with pytest.raises(TypeError, match=of.__name__):
        of(*values, **named)


def test_a_record_with_many_fields_is_like_any_other() -> None:
    wide = Wide(1, 5, "r", c=3)
    assert (wide.x, wide.y, wide.name, wide.a, wide.c, wide.o) == (1, 5, "r", 0, 3, 0)
    assert Wide(x=1, y=5, name="r", c=3) == wide == Wide(1).replace(y=5, name="r", c=3)
    assert hash(wide) != hash(Wide(1))


def test_a_default_stands_behind_the_fields_without_one() -> None:
    with pytest.raises(TypeError, match="Wrong: a field"):

        class Wrong(Point):
            z: int  # type: ignore[misc]


def test_the_type_checker_refuses_changes_and_there_is_no_dict() -> None:
    point = Point(1)
    point.x = 1  # type: ignore[misc]  # mypy tells when this is allowed
    with pytest.raises(AttributeError):
        point.z = 5  # type: ignore[attr-defined]
