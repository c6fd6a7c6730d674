"""Calculated confidences."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from groundwire_admin.service.views.view import View


class JudgementView(View):
    """One calculated confidence."""

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
    """What judgements of one method took; provider and model are empty for the formula."""

    method: str
    provider: str
    model: str
    judgements: int
    input_tokens: int
    output_tokens: int
    cost: float
