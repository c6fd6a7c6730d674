"""Immutable records without the start-up cost of ``dataclasses`` or ``typing``.

The hook is a fresh process at the end of every turn, and importing ``dataclasses`` would nearly
triple its start (``benchmarks/README.md``). A class that derives from ``Record`` is declared like
a dataclass and gets slots, a constructor, equality, hash and ``repr``. That nobody changes one is
seen to by the type checker: refusing it at run time would make each record cost four times as much.
"""

# ruff: noqa: E501, PLR0913, PLR0917
from __future__ import annotations

from _operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform

    _CONSTRUCTORS: tuple[Any, ...]
else:

    def dataclass_transform(**_options):
        return lambda cls: cls

    # fmt: off
    def _1(s, a): s.a = a
    def _2(s, a, b): s.a, s.b = a, b
    def _3(s, a, b, c): s.a, s.b, s.c = a, b, c
    def _4(s, a, b, c, d): s.a, s.b, s.c, s.d = a, b, c, d
    def _5(s, a, b, c, d, e): s.a, s.b, s.c, s.d, s.e = a, b, c, d, e
    def _6(s, a, b, c, d, e, f): s.a, s.b, s.c, s.d, s.e, s.f = a, b, c, d, e, f
    def _7(s, a, b, c, d, e, f, g): s.a, s.b, s.c, s.d, s.e, s.f, s.g = a, b, c, d, e, f, g
    def _8(s, a, b, c, d, e, f, g, h): s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h = a, b, c, d, e, f, g, h
    def _9(s, a, b, c, d, e, f, g, h, i): s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i = a, b, c, d, e, f, g, h, i
    def _10(s, a, b, c, d, e, f, g, h, i, j): s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j = a, b, c, d, e, f, g, h, i, j
    def _11(s, a, b, c, d, e, f, g, h, i, j, k): s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j, s.k = a, b, c, d, e, f, g, h, i, j, k
    def _12(s, a, b, c, d, e, f, g, h, i, j, k, m): s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j, s.k, s.m = a, b, c, d, e, f, g, h, i, j, k, m
    #: By the number of fields less one: constructors whose code a class takes, with the names of its
    #: own fields. To compile one for each class would take as long as to make a hundred records.
    _CONSTRUCTORS = (_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12)
    # fmt: on


def _fill(self: Any, *values: Any, **named: Any) -> None:
    """Construct a record that has more fields than any of the others."""
    cls = type(self)
    fields = cls._fields
    given = dict(zip(fields, values, strict=False))
    whole = {**cls._defaults, **given, **named}
    if len(values) > len(fields) or whole.keys() != set(fields) or given.keys() & named.keys():
        raise TypeError(f"{cls.__qualname__} takes the fields {', '.join(fields)}")
    for field, value in whole.items():
        setattr(self, field, value)


@dataclass_transform(frozen_default=True, eq_default=True)
class RecordMeta(type):
    """Turns the annotations of a class body into slots and remembers their defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]
    _values: Any  # of a record: those of all fields, or that of the only one

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordMeta:
        own = namespace["__slots__"] = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        parent: Any = bases[0] if bases else None
        if parent:
            own, defaults = (*parent._fields, *own), {**parent._defaults, **defaults}
        if own[len(own) - len(defaults) :] != tuple(defaults):
            raise TypeError(f"{name}: a field without a default stands behind one with it")
        namespace.update(_fields=own, _defaults=defaults)
        if own:
            namespace.update(_values=attrgetter(*own), __init__=_constructor(name, own, defaults))
        return super().__new__(mcls, name, bases, namespace)


def _constructor(name: str, fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    if len(fields) > len(_CONSTRUCTORS):
        return _fill
    like = _CONSTRUCTORS[len(fields) - 1]
    code = like.__code__.replace(
        co_varnames=("self", *fields),
        co_names=fields,
        co_name="__init__",
        co_qualname=f"{name}.__init__",
    )
    return type(like)(code, {}, "__init__", tuple(defaults.values()))


class Record(metaclass=RecordMeta):
    """Base class; fields are the annotated names, in order, positional or by keyword."""

    def replace(self, **changes: Any) -> Self:
        """Return a copy with the named fields changed."""
        cls = type(self)
        values = [
            changes.pop(field) if field in changes else getattr(self, field)
            for field in cls._fields
        ]
        return cls(*values, **changes)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values = type(self)._values
        return bool(values(self) == values(other))

    def __hash__(self) -> int:
        return hash(type(self)._values(self))

    def __repr__(self) -> str:
        parts = ", ".join(f"{field}={getattr(self, field)!r}" for field in type(self)._fields)
        return f"{type(self).__name__}({parts})"
