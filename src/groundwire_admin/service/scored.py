"""One calculated confidence: as columns of the database, and as it is returned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.confidence.formula import MODEL as FORMULA
from groundwire.config.calculation import ConfidenceCalculationConfig
from groundwire.service.confidence_methods import Calculation
from groundwire_admin.service.views import ScoredView, ScoreFactorView
from groundwire_admin.store.log_rows import clean

_LONGEST = 4_000


def judgement_columns(
    calculation: Calculation,
    config: ConfidenceCalculationConfig,
    cost: float | None,
    milliseconds: float,
) -> dict[str, Any]:
    """Return the columns of a judgement that come from its calculation."""
    said, judge = calculation.judgement, config.llm_settings
    value = calculation.assessment.value
    formula = value if calculation.method == FORMULA else None
    asked = calculation.requested != FORMULA
    return {
        "requested_method": calculation.requested,
        "method": calculation.method,
        "score": value,
        "formula_score": calculation.breakdown.get("formula_score", formula),
        "llm_score": said.score if said else None,
        "breakdown": _cleaned(calculation.breakdown),
        "provider": judge.provider if asked else "",
        "model": clean(judge.model, 200) if asked else "",
        "prompt_version": said.prompt_version if said else None,
        "input_tokens": said.input_tokens if said else None,
        "output_tokens": said.output_tokens if said else None,
        "cost": cost,
        "milliseconds": milliseconds,
        "cached": bool(said and said.cached),
        "problem": clean(calculation.problem or calculation.error, _LONGEST),
    }


def scored_view(
    calculation: Calculation,
    cost: float | None,
    milliseconds: float,
    number: int | None,
    warnings: Sequence[str],
) -> ScoredView:
    """Return a calculation as the API and the pages show it."""
    assessment = calculation.assessment
    return ScoredView(
        confidence_score=assessment.value,
        confidence_method=calculation.method,
        confidence_breakdown=calculation.breakdown,
        requested_method=calculation.requested,
        level=assessment.level,
        why=assessment.why,
        factors=[ScoreFactorView.model_validate(factor) for factor in assessment.factors],
        judgement_id=number,
        milliseconds=round(milliseconds, 3),
        cost=cost,
        problem=calculation.problem,
        error=calculation.error,
        warnings=[*warnings, *calculation.warnings],
    )


def _cleaned(value: Any) -> Any:
    """Return a document with texts as a database takes them."""
    if isinstance(value, str):
        return clean(value, _LONGEST)
    if isinstance(value, dict):
        return {clean(str(key), _LONGEST): _cleaned(one) for key, one in value.items()}
    return [_cleaned(one) for one in value] if isinstance(value, list | tuple) else value
