"""What the confidence models in the hook share: where a turn is weighed, and what they remember."""

from __future__ import annotations

from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.verdict.decision import Memory


class Place(Record):
    """Where and when a turn is weighed: the project's folder, seconds since the epoch."""

    project: str
    now: float
    env: Mapping[str, str]


def with_model_state(memory: Memory, name: str, value: object) -> Memory:
    """Return the memory with what a model keeps there."""
    return memory.replace(models={**(memory.models or {}), name: value})
