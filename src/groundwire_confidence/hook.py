"""The confidence models in the hook, each when its setting is on: composite and reinforced.

Imported only then. What fails here is a note in the log and leaves the decision as it was.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.verdict.decision import no_response

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.base.settings import Settings
    from groundwire.verdict.decision import Memory, Situation
    from groundwire.verdict.examine import Examined


class Place(Record):
    """Where and when a turn is weighed: the project's folder, seconds since the epoch."""

    project: str
    now: float
    env: Mapping[str, str]


def with_models(examined: Examined, settings: Settings, place: Place) -> Examined:
    """Return the turn with the models that the settings switch on; never raises.

    Internal agents and compaction summaries are left alone: they answer nobody.
    """
    if examined.situation is None or no_response(examined.situation):
        return examined
    for name, is_on, weigh in (
        ("composite", settings.composite.enabled, _with_composite),
        ("reinforcement", settings.reinforcement.enabled, _with_reinforcement),
    ):
        if not is_on:
            continue
        try:
            examined = weigh(examined, examined.situation, settings, place)
        except Exception as failure:  # the turn goes on without it
            problem = f"{name} confidence: {type(failure).__name__}: {failure}"
            examined = examined.replace(notes=(*examined.notes, problem))
    return examined


def keeping(memory: Memory, name: str, value: object) -> Memory:
    """Return the memory with what a model keeps there."""
    return memory.replace(models={**(memory.models or {}), name: value})


def _with_composite(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    from groundwire_confidence.composite.hook import with_composite

    return with_composite(examined, situation, settings, place)


def _with_reinforcement(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    from groundwire_confidence.reinforcement.service import with_reinforcement

    return with_reinforcement(examined, situation, settings, place)
