"""The composite confidence in the hook: weighs a message, writes its row, may stop the turn.

Imported only when its setting is on.
"""

from __future__ import annotations

from groundwire.base.digest import digest
from groundwire.base.model import BLOCK
from groundwire.verdict.decision import MOST_REMEMBERED, blocks_spent, exemption, prompt_key
from groundwire_confidence.advisory.retrieved import passages
from groundwire_confidence.composite.certainty import certainty
from groundwire_confidence.composite.factors import code_evidence, knowledge_base_score
from groundwire_confidence.composite.formula import (
    MODEL,
    CompositeScores,
    assess,
    percent,
    type_of_event,
)
from groundwire_confidence.composite.later import Weighed, changed_files, with_later
from groundwire_confidence.history import append_row, history_folder
from groundwire_confidence.history_outcomes import WRONG, outcome_line
from groundwire_confidence.history_read import history_row, history_score
from groundwire_confidence.history_votes import MAIN_AGENT
from groundwire_confidence.hook import Place, step_of, with_model_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from groundwire.base.settings import Composite, Settings
    from groundwire.verdict.decision import Memory, Situation
    from groundwire.verdict.examine import Examined
    from groundwire_confidence.assessment import Assessment
    from groundwire_confidence.composite.factors import CodeEvidence

#: Messages of one session whose row is written.
_MOST_ROWS = 50


def with_composite(
    examined: Examined, situation: Situation, settings: Settings, place: Place
) -> Examined:
    """Weigh the message, write the row of the history, and let it stop the turn if it may."""
    if examined.findings is None:
        return examined  # there is no response
    composite = settings.composite
    name = situation.event.agent_type or MAIN_AGENT
    kind = type_of_event(situation.event.agent_type, composite)
    key = prompt_key(situation.event)
    task = key.partition("/")[0]
    examined, unwritten = _with_outcomes(examined, task, composite, place)
    assessment, problems = _composite(examined, name, kind, composite, place)
    problems = (*problems, *unwritten)
    if assessment is None:
        return examined.replace(notes=(*examined.notes, *problems))
    row = history_row(assessment, name, kind, task, place.now, place.project)
    mark = digest(f"{key}\n{situation.calls}\n{examined.analysis.text}".encode("utf-8", "replace"))
    before = _weighed(examined.memory)
    if all(one.mark != mark for one in before):  # two copies of the hook see the same message
        problems = (*problems, *_appended([row], composite, place))
        new = Weighed(mark, task, name, changed_files(examined.timeline))
        examined = _with_weighed(examined, [*before, new])
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
        notes=(*examined.notes, *problems),
        told=told,
    )


#: The model as a step of the hook.
composite_step = step_of(with_composite)


def _composite(
    examined: Examined, name: str, kind: str, composite: Composite, place: Place
) -> tuple[Assessment | None, tuple[str, ...]]:
    """Return the composite of a message, and what could not be read of the history.

    Where what is missing is left out, so is what says nothing: retrieval results none of which is
    relevant, words without a marker, a history without runs. None when nothing is left but the
    history, which alone says nothing of a message; nor does it count where it alone is why a turn
    is below its threshold, so that a run that failed does not make the next ones fail.
    """
    findings = examined.findings
    sure = certainty(findings.folded, findings.scanned, composite.negators)  # type: ignore[union-attr]
    code = code_evidence(examined.timeline)
    hours = composite.lookback_hours
    folder = history_folder(composite.history, place.env)
    history = history_score(folder, name, place.now, hours, composite.prior_runs)
    calls = examined.timeline.calls if examined.timeline else ()
    found = (one.similarity for one in passages(calls, {}) if one.known)
    similarities = [{"similarity": similarity} for similarity in found]
    sparse = composite.missing_factors == "renormalise"
    scores = CompositeScores(
        knowledge_base_score(similarities) or None,
        code.score if code else None,
        None if sparse and not sure.hits else sure.score,
        None if sparse and not history.total else history.score,
        (
            ("knowledge_base_score", _retrieved_words(similarities)),
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


def _retrieved_words(results: Sequence[dict[str, float]]) -> str:
    if not results:
        return "no retrieval result with a similarity"
    best = max(one["similarity"] for one in results)
    return f"best of {len(results)} retrieval results: {best:g}"


def _why(code: CodeEvidence | None) -> str:
    return code.why() if code else "the turn neither changed nor checked code"


def _weighed(memory: Memory) -> list[Weighed]:
    """Return the messages of the session that have a row."""
    stored = (memory.models or {}).get(MODEL)
    read = map(Weighed.read, stored) if isinstance(stored, list) else ()
    return [one for one in read if one]


def _with_weighed(examined: Examined, weighed: list[Weighed]) -> Examined:
    kept = [one.plain() for one in weighed[-_MOST_ROWS:]]
    return examined.replace(memory=with_model_state(examined.memory, MODEL, kept))


def _with_outcomes(
    examined: Examined, task: str, composite: Composite, place: Place
) -> tuple[Examined, tuple[str, ...]]:
    """Write what the turn shows of earlier ones, and return what could not be written."""
    before = _weighed(examined.memory)
    weighed, wrong = with_later(before, examined.timeline, task)
    lines = [
        outcome_line(one.agent, one.task, WRONG, source, why, place.now)
        for one, source, why in wrong
    ]
    return _with_weighed(examined, weighed), _appended(lines, composite, place)


def _appended(
    lines: Sequence[dict[str, Any]], composite: Composite, place: Place
) -> tuple[str, ...]:
    folder = history_folder(composite.history, place.env)
    days = composite.retention_days
    problems = (append_row(folder, line, place.now, days) for line in lines)
    return tuple(filter(None, problems))


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
