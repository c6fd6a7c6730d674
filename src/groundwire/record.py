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


#: Compiling a constructor takes as long as making so many records without one.
_FEW = 100
_made: dict[type, int] = {}
_set = object.__setattr__


def _fill(self: Any, *values: Any, **named: Any) -> None:
    """Make one of the first records of a class.

    The constructor is compiled when there are many, and when the values do not fit, which it tells.
    """
    cls = type(self)
    fields = cls._fields
    count = _made[cls] = _made.get(cls, 0) + 1
    is_fit = len(values) == len(fields) and not named
    all_values = values
    if len(values) < len(fields):
        rest = fields[len(values) :]
        given = {**cls._defaults, **named} if named else cls._defaults
        is_fit = named.keys() <= set(rest) <= given.keys()
        all_values = (*values, *[given[field] for field in rest]) if is_fit else values
    if count > _FEW or not is_fit:
        cls.__init__ = cls.constructor()
        self.__init__(*values, **named)
        return
    for field, value in zip(fields, all_values, strict=True):
        _set(self, field, value)


@dataclass_transform(frozen_default=True, eq_default=True)
class RecordMeta(type):
    """Turns the annotations of a class body into slots and remembers their defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordMeta:
        own = namespace["__slots__"] = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        parent: Any = bases[0] if bases else None
        if parent:
            own, defaults = (*parent._fields, *own), {**parent._defaults, **defaults}
        if own[len(own) - len(defaults) :] != tuple(defaults):
            raise TypeError(f"{name}: a field without a default stands behind one with it")
        namespace.update(_fields=own, _defaults=defaults, __init__=_fill)
        return super().__new__(mcls, name, bases, namespace)

    def constructor(cls) -> Callable[..., None]:
        """Return an ``__init__`` for these fields; a loop over them would take twice the time."""
        names: dict[str, Any] = {f"set_{it}": getattr(cls, it).__set__ for it in cls._fields}
        head = f"def __init__({', '.join(('self', *cls._fields))}):"
        steps = [f"set_{field}(self, {field})" for field in cls._fields]
        exec(f"{head} {'; '.join(steps) or 'pass'}", names)  # noqa: S102
        made: Callable[..., None] = names["__init__"]
        made.__defaults__ = tuple(cls._defaults.values())
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
