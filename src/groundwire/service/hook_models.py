"""The confidence models in the hook, each when its setting is on: composite and reinforced.

Imported only then. What fails here is a note in the log and leaves the decision as it was.
"""

from __future__ import annotations

import time

from groundwire.decision import (
    Memory,
    blocks_spent,
    no_response,
    prompt_key,
    restraint,
    with_block,
)
from groundwire.digest import digest
from groundwire.model import BLOCK
from groundwire.record import Record
from groundwire.service.examine import Examined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from groundwire.confidence.assessment import Assessment
    from groundwire.confidence.composite_evidence import CodeEvidence
    from groundwire.decision import Situation
    from groundwire.settings import Composite, Settings

COMPOSITE, REINFORCEMENT = "composite", "reinforcement"
#: The main agent, which has no name, in the history and in the settings.
MAIN_AGENT = "default"
#: Messages whose row is written, and agents whose reinforced confidence is kept, of one session.
_MOST_ROWS = 50
_MOST_AGENTS = 20


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
        (COMPOSITE, settings.composite.enabled, _with_composite),
        (REINFORCEMENT, settings.reinforcement.enabled, _with_reinforcement),
    ):
        if not is_on:
            continue
        try:
            examined = weigh(examined, examined.situation, settings, place)
        except Exception as failure:  # the turn goes on without it
            problem = f"{name} confidence: {type(failure).__name__}: {failure}"
            examined = examined.replace(notes=(*examined.notes, problem))
    return examined


def _with_composite(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    """Weigh the message, write the row of the history, and let it stop the turn if it may."""
    from groundwire.confidence.composite import type_of_event
    from groundwire.history.append import append_row
    from groundwire.history.day_files import history_folder
    from groundwire.history.rows import history_row

    if examined.findings is None:
        return examined  # there is no response
    known = settings.composite
    name = situation.event.agent_type or MAIN_AGENT
    kind = type_of_event(situation.event.agent_type, known)
    assessment, problems = _composite(examined, name, kind, known, place)
    key = prompt_key(situation.event)
    marks, is_new = _marked(examined, key, situation.calls)
    row = history_row(assessment, name, kind, key.partition("/")[0], place.now, place.project)
    unwritten = ""
    if is_new:  # two copies of the hook see the same message
        folder = history_folder(known.history, place.env)
        unwritten = append_row(folder, row, place.now, known.retention_days)
        memory = _keeping(examined.memory, COMPOSITE, marks)
        examined = examined.replace(memory=memory)
    examined, told = _decided(examined, assessment, situation, settings)
    fields = {
        "agent_name": row["agent_name"],
        "agent_type": row["agent_type"],
        "value": assessment.value,
        "level": assessment.level,
        "threshold": assessment.threshold,
        "met": assessment.met,
        "factors": row["factors"],
        "factor_sources": {one.name: one.why for one in assessment.factors},
        "why": assessment.why,
    }
    return examined.replace(
        confidence=_line(assessment, kind),
        models={**examined.models, COMPOSITE: fields},
        notes=(*examined.notes, *problems, *filter(None, (unwritten,))),
        told=told,
    )


def _composite(
    examined: Examined, name: str, kind: str, known: Composite, place: Place
) -> tuple[Assessment, tuple[str, ...]]:
    """Return the composite of a message, and what could not be read of the history."""
    from groundwire.confidence.certainty import certainty
    from groundwire.confidence.composite import CompositeScores, assess
    from groundwire.confidence.composite_evidence import code_evidence
    from groundwire.history.day_files import history_folder
    from groundwire.history.read import history_score

    findings = examined.findings
    sure = certainty(findings.folded, findings.scanned, known.negators)  # type: ignore[union-attr]
    code = code_evidence(examined.timeline)
    hours = known.lookback_hours
    folder = history_folder(known.history, place.env)
    history = history_score(folder, name, place.now, hours, known.min_history)
    scores = CompositeScores(
        None,
        code.score if code else None,
        sure.score,
        history.score,
        (
            ("knowledge_base_score", "the hook has no retrieval results"),
            ("code_validation_score", _why(code)),
            ("response_certainty_score", sure.why()),
            ("agent_history_score", history.why(hours)),
        ),
    )
    return assess(kind, scores, known, known.missing_factors), history.problems


def _why(code: CodeEvidence | None) -> str:
    return code.why() if code else "the turn neither changed nor checked code"


def _marked(examined: Examined, key: str, calls: int) -> tuple[list[str], bool]:
    """Return the marks of the messages that have a row, and whether this one is new among them."""
    text = examined.analysis.text
    mark = digest(f"{key}\n{calls}\n{text}".encode("utf-8", "replace"))
    stored = (examined.memory.models or {}).get(COMPOSITE)
    before = [str(one) for one in stored] if isinstance(stored, list) else []
    return [*before, mark][-_MOST_ROWS:], mark not in before


def _decided(
    examined: Examined, assessment: Assessment, situation: Situation, settings: Settings
) -> tuple[Examined, tuple[str, str]]:
    """Stop the turn once for its prompt when the composite may and nothing speaks against it."""
    nothing = ("", "")
    if assessment.met or not settings.composite.may_block or restraint(situation, settings):
        return examined, nothing
    decision, memory = examined.decision, examined.memory
    key = prompt_key(situation.event)
    mark = digest(f"{COMPOSITE}\n{key}".encode("utf-8", "replace"))
    if mark in memory.sent:
        if decision.action == BLOCK or not situation.event.stop_hook_active:
            return examined, nothing
        return examined, (f"{COMPOSITE} {key}", _let_through(assessment))
    if decision.action == BLOCK:  # it is part of that block
        return examined.replace(memory=memory.replace(sent=(*memory.sent, mark))), nothing
    if blocks_spent(memory, key) >= settings.blocks_per_prompt:
        return examined, nothing
    why = f"composite confidence {assessment.value:g} is below {assessment.threshold:g}"
    decision = decision.replace(action=BLOCK, why=why, let_through="")
    return examined.replace(decision=decision, memory=with_block(memory, key, mark)), nothing


def _let_through(assessment: Assessment) -> str:
    from groundwire.confidence.composite_reason import percent

    needed = percent(assessment.threshold or 0.0)
    return f"the turn ended at a confidence of {percent(assessment.value)}, below {needed}."


def _line(assessment: Assessment, kind: str) -> str:
    from groundwire.confidence.composite_reason import percent

    if not assessment.met:
        return assessment.why
    needed = percent(assessment.threshold or 0.0)
    return f"Confidence {percent(assessment.value)} reaches the {needed} that {kind} needs."


def _with_reinforcement(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    """Advance the session's reinforced confidence by what is new in its turn."""
    from groundwire.confidence.reinforcement_counted import counted_fields, read_counted
    from groundwire.confidence.reinforcement_evidence import Circumstances, turn_events
    from groundwire.confidence.reinforcement_session import (
        advance_all,
        assess_session,
        new_session,
        read_session,
        session_fields,
        session_milestone,
    )

    known = settings.reinforcement
    agents = (examined.memory.models or {}).get(REINFORCEMENT)
    agents = dict(agents) if isinstance(agents, dict) else {}
    stored = agents.pop(situation.event.agent_id, None)
    stored = stored if isinstance(stored, dict) else {}
    session = read_session(stored.get("session")) or new_session()
    counted = read_counted(stored.get("counted"))
    if examined.timeline:
        today = time.gmtime(place.now)[:3]
        prompt = situation.event.prompt_id
        seen = Circumstances(prompt, today, known.content_suffixes, _holds_pattern())
        events, counted = turn_events(examined.timeline, examined.analysis.matches, counted, seen)
        session = advance_all(session, events, known.alpha, known.delta)
    assessment = assess_session(session, apply_milestone_boost=known.apply_milestone_boost)
    agents[situation.event.agent_id] = {
        "session": session_fields(session),
        "counted": counted_fields(counted),
    }
    kept = dict(list(agents.items())[-_MOST_AGENTS:])
    fields = {
        "value": assessment.value,
        "state": assessment.level,
        "steps": session.steps,
        "milestone": session_milestone(session),
    }
    return examined.replace(
        memory=_keeping(examined.memory, REINFORCEMENT, kept),
        models={**examined.models, REINFORCEMENT: fields},
    )


def _holds_pattern() -> Callable[[str], bool]:
    """Return a function that tells whether a text holds a file pattern; made when first asked."""
    scanners: list[Any] = []

    def holds(text: str) -> bool:
        if not scanners:
            from groundwire.rules.file_patterns import shipped_file_patterns
            from groundwire.scan.file_patterns import FileScanner

            scanners.append(FileScanner(shipped_file_patterns()))
        return bool(scanners[0].scan(text))

    return holds


def _keeping(memory: Memory, name: str, value: object) -> Memory:
    return memory.replace(models={**(memory.models or {}), name: value})
