"""The reinforced confidence in the hook: one for each agent of a session, kept in its memory.

Imported only when its setting is on.
"""

from __future__ import annotations

import time

from groundwire_confidence.hook import Place, step_of, with_model_state
from groundwire_confidence.reinforcement.evidence import (
    Circumstances,
    counted_fields,
    read_counted,
    turn_events,
)
from groundwire_confidence.reinforcement.session import (
    advance_all,
    assess_session,
    new_session,
    read_session,
    session_fields,
    session_milestone,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from groundwire.base.settings import Settings
    from groundwire.verdict.decision import Situation
    from groundwire.verdict.examine import Examined

MODEL = "reinforcement"
#: Agents of one session whose confidence is kept.
_MOST_AGENTS = 20


def with_reinforcement(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    """Advance the session's reinforced confidence by what is new in its turn."""
    reinforcement = settings.reinforcement
    agents = (examined.memory.models or {}).get(MODEL)
    agents = dict(agents) if isinstance(agents, dict) else {}
    stored = agents.pop(situation.event.agent_id, None)
    stored = stored if isinstance(stored, dict) else {}
    session = read_session(stored.get("session")) or new_session()
    counted = read_counted(stored.get("counted"))
    if examined.timeline:
        today = time.gmtime(place.now)[:3]
        prompt = situation.event.prompt_id
        seen = Circumstances(prompt, today, reinforcement.content_suffixes, _holds_pattern())
        events, counted = turn_events(examined.timeline, examined.analysis.matches, counted, seen)
        session = advance_all(session, events, reinforcement.alpha, reinforcement.delta)
    assessment = assess_session(session, apply_milestone_boost=reinforcement.apply_milestone_boost)
    agents[situation.event.agent_id] = {
        "session": session_fields(session),
        "counted": counted_fields(counted),
    }
    latest_agents = dict(list(agents.items())[-_MOST_AGENTS:])
    fields = {
        "value": assessment.value,
        "state": assessment.level,
        "steps": session.steps,
        "milestone": session_milestone(session),
    }
    return examined.replace(
        memory=with_model_state(examined.memory, MODEL, latest_agents),
        models={**examined.models, MODEL: fields},
    )


#: The model as a step of the hook.
reinforcement_step = step_of(with_reinforcement)


def _holds_pattern() -> Callable[[str], bool]:
    """Return a function that tells whether a text holds a file pattern; made when first asked."""
    scanners: list[Any] = []

    def holds(text: str) -> bool:
        if not scanners:
            from groundwire.base.rules.file_patterns import shipped_file_patterns
            from groundwire.language.file_patterns import FileScanner

            scanners.append(FileScanner(shipped_file_patterns()))
        return bool(scanners[0].scan(text))

    return holds
