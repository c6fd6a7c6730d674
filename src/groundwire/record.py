"""Immutable records without the start-up cost of ``dataclasses`` or ``typing``.

The hook is a fresh process at the end of every turn, and importing ``dataclasses`` would nearly
triple its start (``benchmarks/README.md``). A class that derives from ``Record`` is declared like
a dataclass and gets slots, a constructor, equality, hash and ``repr``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda cls: cls


@dataclass_transform(frozen_default=True, eq_default=True)
class RecordMeta(type):
    """Turns the annotations of a class body into slots and remembers their defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]
    _setters: tuple[Callable[[object, Any], None], ...]  # empty before the first record is made

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordMeta:
        if "_fields" in namespace:  # the hook's bundle has laid it out
            return super().__new__(mcls, name, bases, namespace)
        own = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        parent: Any = bases[0] if bases else None
        namespace["__slots__"] = own
        namespace["_fields"] = (*parent._fields, *own) if parent else own
        namespace["_defaults"] = {**parent._defaults, **defaults} if parent else defaults
        namespace["_setters"] = ()
        return super().__new__(mcls, name, bases, namespace)

    def _bind(cls) -> tuple[Callable[[object, Any], None], ...]:
        cls._setters = tuple([getattr(cls, field).__set__ for field in cls._fields])
        return cls._setters


class Record(metaclass=RecordMeta):
    """Base class; fields are the annotated names, in order, positional or by keyword."""

    def __init__(self, *values: Any, **named: Any) -> None:
        cls = type(self)
        setters = cls._setters or cls._bind()
        if named or len(values) != len(setters):
            values = cls._complete(values, named)
        for put, value in zip(setters, values):  # noqa: B905 - a strict one is slower
            put(self, value)

    @classmethod
    def _complete(cls, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """Return one value for each field, from ``values``, then by name or default."""
        fields, defaults = cls._fields, cls._defaults
        if len(values) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} values, got {len(values)}")
        rest = []
        for field in fields[len(values) :]:
            if field in named:
                rest.append(named.pop(field))
            elif field in defaults:
                rest.append(defaults[field])
            else:
                raise TypeError(f"{cls.__name__} needs a value for {field!r}")
        if named:
            raise TypeError(f"{cls.__name__} has no field {', '.join(sorted(named))}")
        return (*values, *rest)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with the named fields changed."""
        cls = type(self)
        values = [
            changes.pop(field) if field in changes else getattr(self, field)
            for field in cls._fields
        ]
        return cls(*values, **changes)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in type(self)._fields)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, field) for field in type(self)._fields))

    def __repr__(self) -> str:
        parts = ", ".join(f"{field}={getattr(self, field)!r}" for field in type(self)._fields)
        return f"{type(self).__name__}({parts})"
