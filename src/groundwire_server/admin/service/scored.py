"""One calculated confidence: as columns of the database, and as it is returned."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from groundwire_confidence.calculation import ConfidenceCalculationConfig
from groundwire_confidence.formula import MODEL as FORMULA
from groundwire_judge.methods import Calculation
from groundwire_server.admin.service.view import View
from groundwire_server.admin.store.log_rows import clean, cleaned

_LONGEST = 4_000


class JudgementView(View):
    """One calculated confidence.

    ``query`` and ``response`` are whole where they are retained, else their first 80 characters.
    """

    id: int
    at: datetime
    purpose: str
    session: str
    environment: str
    requested_method: str
    method: str
    score: float
    formula_score: float | None
    llm_score: float | None
    provider: str
    model: str
    prompt_version: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    milliseconds: float
    cached: bool
    problem: str
    query: str | None
    response: str | None
    vote: int | None


class ScoreFactorView(View):
    """One input of a confidence: value and weight, 0 to 1, and what it added."""

    name: str
    value: float | None
    weight: float
    contribution: float
    why: str


class ScoredView(View):
    """A confidence with its breakdown (R002-07, R002-27).

    ``judgement_id`` is what feedback names; null when nothing could be kept. ``problem`` says why
    the judge has no say in the score, ``error`` why there is no score; both empty otherwise.
    """

    confidence_score: float
    confidence_method: str
    confidence_breakdown: dict[str, Any]
    configuration: dict[str, str] = Field(
        description="Environment, profile and source of what it was calculated with."
    )
    requested_method: str
    level: str
    why: str
    factors: list[ScoreFactorView]
    judgement_id: int | None
    milliseconds: float
    cost: float | None
    problem: str
    error: str
    warnings: list[str]


class SpentView(View):
    """What judgements of one method took; provider and model are empty for the formula.

    ``cost`` is the sum of what is known, null when nothing is.
    """

    method: str
    provider: str
    model: str
    judgements: int
    input_tokens: int
    output_tokens: int
    cost: float | None


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
    asked = said is not None or bool(calculation.problem)
    return {
        "requested_method": calculation.requested,
        "method": calculation.method,
        "score": value,
        "formula_score": calculation.breakdown.get("formula_score", formula),
        "llm_score": said.score if said else None,
        "breakdown": cleaned(calculation.breakdown),
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
        configuration=calculation.used or {},
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
