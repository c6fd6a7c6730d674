"""What the confidence models in the hook share: steps, place, and what a session remembers."""

from __future__ import annotations

from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from groundwire.base.settings import Settings
    from groundwire.hook.session import Session
    from groundwire.verdict.decision import Memory, Situation
    from groundwire.verdict.examine import Examined


class Place(Record):
    """Where and when a turn is weighed: the project's folder, seconds since the epoch."""

    project: str
    now: float
    env: Mapping[str, str]


def with_model_state(memory: Memory, name: str, value: object) -> Memory:
    """Return the memory with what a model keeps there."""
    return memory.replace(models={**(memory.models or {}), name: value})


def step_of(
    weigh: Callable[[Examined, Situation, Settings, Place], Examined],
) -> Callable[[Examined, Session, Settings, Mapping[str, str], float], Examined]:
    """Return the hook's step that lets a model ``weigh`` a decided turn."""

    def step(
        examined: Examined,
        _session: Session,
        settings: Settings,
        env: Mapping[str, str],
        now: float,
    ) -> Examined:
        situation = examined.situation
        if situation is None:
            return examined
        return weigh(examined, situation, settings, Place(situation.event.folder(env), now, env))

    return step
