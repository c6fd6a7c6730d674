"""What extra packages plug into the core, by entry points of the groups ``groundwire.*``.

The core imports none of these packages. A command asks for them here when it runs; the hook finds
the names of its steps in the compiled settings, since reading entry points costs more than a turn.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Steps of a turn: of an examined one, which may wait, and of a decided one with its memory locked.
TURN_STEPS, MEMORY_STEPS = "turn_steps", "memory_steps"


def load(reference: str) -> Any:
    """Return what ``module:name``, or ``module``, names. Raises ImportError or AttributeError."""
    path, _, name = reference.partition(":")
    module = __import__(path, fromlist=("",))
    return getattr(module, name) if name else module


def references(group: str) -> dict[str, str]:
    """Return the entry points of ``groundwire.<group>``: ``module:name`` by their names."""
    from importlib.metadata import entry_points

    return {one.name: one.value for one in entry_points(group=f"groundwire.{group}")}


def extras(group: str) -> dict[str, Any]:
    """Return what is plugged in under ``groundwire.<group>``; packages that are missing are not."""
    found = {name: _loaded(one) for name, one in sorted(references(group).items())}
    return {name: one for name, one in found.items() if one is not None}


def extra(group: str, name: str) -> Any:
    """Return one of them. Raises ExtraError when the package that has it is not installed."""
    from groundwire.base.errors import ExtraError

    reference = references(group).get(name)
    found = _loaded(reference) if reference else None
    if found is None:
        raise ExtraError(f"{name}: not part of this installation of groundwire")
    return found


def _loaded(reference: str) -> Any:
    """Return what is named; None when its package is not here."""
    try:
        return load(reference)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("groundwire_"):
            raise
        return None
