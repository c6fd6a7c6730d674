"""The composite confidence in the hook: weighs a message, writes its row, may stop the turn.

Imported only when its setting is on.
"""

from __future__ import annotations

from groundwire.base.digest import digest
from groundwire.base.model import BLOCK
from groundwire.verdict.decision import MOST_REMEMBERED, blocks_spent, exemption, prompt_key
from groundwire_confidence.composite.certainty import certainty
from groundwire_confidence.composite.factors import code_evidence
from groundwire_confidence.composite.formula import (
    MODEL,
    CompositeScores,
    assess,
    percent,
    type_of_event,
)
from groundwire_confidence.history import append_row, history_folder
from groundwire_confidence.history_read import history_row, history_score
from groundwire_confidence.hook import Place, with_model_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.base.settings import Composite, Settings
    from groundwire.hook.session import Session
    from groundwire.verdict.decision import Memory, Situation
    from groundwire.verdict.examine import Examined
    from groundwire_confidence.assessment import Assessment
    from groundwire_confidence.composite.factors import CodeEvidence

#: The main agent, which has no name, in the history and in the settings.
MAIN_AGENT = "default"
#: Messages of one session whose row is written.
_MOST_ROWS = 50


def composite_step(
    examined: Examined, _session: Session, settings: Settings, env: Mapping[str, str], now: float
) -> Examined:
    """Weigh a decided turn, as the hook's step."""
    situation = examined.situation
    if situation is None:
        return examined
    place = Place(situation.event.folder(env), now, env)
    return with_composite(examined, situation, settings, place)


def with_composite(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    """Weigh the message, write the row of the history, and let it stop the turn if it may."""
    if examined.findings is None:
        return examined  # there is no response
    composite = settings.composite
    name = situation.event.agent_type or MAIN_AGENT
    kind = type_of_event(situation.event.agent_type, composite)
    assessment, problems = _composite(examined, name, kind, composite, place)
    if assessment is None:
        return examined.replace(notes=(*examined.notes, *problems))
    key = prompt_key(situation.event)
    marks, is_new = _message_marks(examined, key, situation.calls)
    row = history_row(assessment, name, kind, key.partition("/")[0], place.now, place.project)
    unwritten = ""
    if is_new:  # two copies of the hook see the same message
        folder = history_folder(composite.history, place.env)
        unwritten = append_row(folder, row, place.now, composite.retention_days)
        memory = with_model_state(examined.memory, MODEL, marks)
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
        models={**examined.models, MODEL: fields},
        notes=(*examined.notes, *problems, *filter(None, (unwritten,))),
        told=told,
    )


def _composite(
    examined: Examined, name: str, kind: str, composite: Composite, place: Place
) -> tuple[Assessment | None, tuple[str, ...]]:
    """Return the composite of a message, and what could not be read of the history.

    Where what is missing is left out, so is what says nothing: words without a marker, a history
    without runs. None when nothing is left but the history, which alone says nothing of a message;
    nor does it count where it alone is why a turn is below its threshold, so that a run that failed
    does not make the next ones fail.
    """
    findings = examined.findings
    sure = certainty(findings.folded, findings.scanned, composite.negators)  # type: ignore[union-attr]
    code = code_evidence(examined.timeline)
    hours = composite.lookback_hours
    folder = history_folder(composite.history, place.env)
    history = history_score(folder, name, place.now, hours, composite.min_history)
    sparse = composite.missing_factors == "renormalise"
    scores = CompositeScores(
        None,
        code.score if code else None,
        None if sparse and not sure.hits else sure.score,
        None if sparse and not history.counts else history.score,
        (
            ("knowledge_base_score", "the hook has no retrieval results"),
            ("code_validation_score", _why(code)),
            ("response_certainty_score", sure.why()),
            ("agent_history_score", history.why(hours)),
        ),
    )
    without_history = scores.replace(agent_history_score=None)
    if sparse and not without_history.any_given:
        return None, history.problems
    assessment = assess(kind, scores, composite, composite.missing_factors)
    if sparse and not assessment.met:
        alone = assess(kind, without_history, composite, composite.missing_factors)
        assessment = alone if alone.met else assessment
    return assessment, history.problems


def _why(code: CodeEvidence | None) -> str:
    return code.why() if code else "the turn neither changed nor checked code"


def _message_marks(examined: Examined, key: str, calls: int) -> tuple[list[str], bool]:
    """Return the marks of the messages that have a row, and whether this one is new among them."""
    text = examined.analysis.text
    mark = digest(f"{key}\n{calls}\n{text}".encode("utf-8", "replace"))
    stored = (examined.memory.models or {}).get(MODEL)
    before = [str(one) for one in stored] if isinstance(stored, list) else []
    return [*before, mark][-_MOST_ROWS:], mark not in before


def _decided(
    examined: Examined, assessment: Assessment, situation: Situation, settings: Settings
) -> tuple[Examined, tuple[str, str]]:
    """Stop the turn once for its prompt when the composite may and nothing speaks against it."""
    nothing = ("", "")
    if assessment.met or not settings.composite.may_block or exemption(situation, settings):
        return examined, nothing
    decision, memory = examined.decision, examined.memory
    key = prompt_key(situation.event)
    mark = digest(f"{MODEL}\n{key}".encode("utf-8", "replace"))
    if mark in memory.sent:
        if decision.action == BLOCK or not situation.event.stop_hook_active:
            return examined, nothing
        return examined, (f"{MODEL} {key}", _let_through_text(assessment))
    if decision.action == BLOCK:  # it is part of that block
        return examined.replace(memory=memory.replace(sent=(*memory.sent, mark))), nothing
    if blocks_spent(memory, key) >= settings.blocks_per_prompt:
        return examined, nothing
    why = f"composite confidence {assessment.value:g} is below {assessment.threshold:g}"
    decision = decision.replace(action=BLOCK, why=why, let_through="")
    return examined.replace(decision=decision, memory=_with_block(memory, key, mark)), nothing


def _let_through_text(assessment: Assessment) -> str:
    needed = percent(assessment.threshold or 0.0)
    return f"the turn ended at a confidence of {percent(assessment.value)}, below {needed}."


def _line(assessment: Assessment, kind: str) -> str:
    if not assessment.met:
        return assessment.why
    needed = percent(assessment.threshold or 0.0)
    return f"Confidence {percent(assessment.value)} reaches the {needed} that {kind} needs."


def _with_block(memory: Memory, key: str, mark: str) -> Memory:
    """Return ``memory`` after a block for this prompt that has no match, known by ``mark``."""
    blocks = {**dict(memory.blocks), key: blocks_spent(memory, key) + 1}
    return memory.replace(
        blocks=tuple(blocks.items())[-MOST_REMEMBERED:],
        sent=(*memory.sent, mark)[-MOST_REMEMBERED:],
    )
