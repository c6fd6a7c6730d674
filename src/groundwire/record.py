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


def _first(self: Any, *values: Any, **named: Any) -> None:
    """Make the first record of a class, and the constructor of all later ones."""
    cls = type(self)
    cls.__init__ = cls.constructor()
    self.__init__(*values, **named)


@dataclass_transform(frozen_default=True, eq_default=True)
class RecordMeta(type):
    """Turns the annotations of a class body into slots and remembers their defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordMeta:
        if "_fields" in namespace:  # the hook's bundle has laid it out
            return super().__new__(mcls, name, bases, namespace)
        own = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        parent: Any = bases[0] if bases else None
        namespace["__slots__"] = own
        namespace["_fields"] = (*parent._fields, *own) if parent else own
        namespace["__init__"] = _first
        namespace["_defaults"] = {**parent._defaults, **defaults} if parent else defaults
        return super().__new__(mcls, name, bases, namespace)

    def constructor(cls) -> Callable[..., None]:
        """Return an ``__init__`` for these fields; a loop over them would take twice the time."""
        names: dict[str, Any] = {f"default_{field}": it for field, it in cls._defaults.items()}
        for field in cls._fields:
            names[f"set_{field}"] = getattr(cls, field).__set__
        arguments = [f"{f}=default_{f}" if f in cls._defaults else f for f in cls._fields]
        steps = [f"set_{field}(self, {field})" for field in cls._fields]
        head = f"def __init__({', '.join(('self', *arguments))}):"
        exec(f"{head} {'; '.join(steps) or 'pass'}", names)  # noqa: S102
        made: Callable[..., None] = names["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        return made


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
