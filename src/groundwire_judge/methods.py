"""The methods that calculate a confidence: formula, judge (llm), both (hybrid), and selective.

They raise ConfidenceError for what is no state; a judge that does not answer is no error: the
formula counts, once, and the result says so (A002-1).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

from groundwire.base.digest import digest_parts
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire_confidence.assessment import Assessment, rounded
from groundwire_confidence.calculation import ConfidenceCalculationConfig, LLMConfidenceSettings
from groundwire_confidence.formula import (
    HYBRID,
    LLM,
    MODEL,
    NO_DOCUMENTS,
    SELECTIVE,
    assess_documents,
    assess_judged,
    combine,
    document_problems,
    formula_breakdown,
    hybrid_breakdown,
)
from groundwire_judge.judges import Judgement, Judges
from groundwire_judge.limits import spend, spent_this_month
from groundwire_judge.prompt import SHIPPED, Prompt
from groundwire_judge.protocol import JudgeError

#: Why a judge was asked by the selective method.
GREY, SAMPLE = "grey zone", "sample"
LOG = logging.getLogger("groundwire_confidence")
#: Texts of a state, in the order of the judge's questions.
TEXTS = ("query", "context_text", "response")


class Calculation(Record):
    """One calculated confidence, 0 to 1.

    ``method`` is what calculated it, ``requested`` what was asked for. ``judgement`` is None
    when no judge answered, ``problem`` then says why; ``error`` is why there is no value at all.
    ``used`` is which configuration it was calculated with, where one was looked up.
    """

    assessment: Assessment
    breakdown: dict[str, Any]
    method: str
    requested: str
    judgement: Judgement | None = None
    problem: str = ""
    error: str = ""
    warnings: tuple[str, ...] = ()
    used: dict[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the three keys; the others only when there is something to say."""
        fields: dict[str, Any] = {
            "confidence_score": self.assessment.value,
            "confidence_method": self.method,
            "confidence_breakdown": self.breakdown,
        }
        if self.used:
            fields["configuration"] = self.used
        if self.error:
            fields["error"] = self.error
        if self.warnings:
            fields["warnings"] = list(self.warnings)
        return fields


def calculate_formula(state: Mapping[str, Any], config: ConfidenceCalculationConfig) -> Calculation:
    """Calculate by the formula alone; raises ConfidenceError for what is no state."""
    docs = state.get("context_docs")
    weights = config.formula_weights.parts
    assessment = assess_documents(docs, len(state.get("response") or ""), weights)
    warnings = tuple(document_problems(docs)) if docs else (NO_DOCUMENTS,)
    for warning in warnings:
        LOG.warning("Confidence: %s", warning)
    _tell(assessment)
    breakdown = formula_breakdown(assessment)
    return Calculation(assessment, breakdown, MODEL, MODEL, warnings=warnings)


async def calculate_llm(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig,
    judges: Judges,
    prompt: Prompt | None = SHIPPED,
) -> Calculation:
    """Calculate by the judge alone; without its answer by the formula, and it is told.

    Raises ConfidenceError for what is no state.
    """
    judgement, problem = await judged(state, config, judges, prompt)
    if judgement is None:
        formula = calculate_formula(state, config)
        why = {"requested_method": LLM, "fallback_reason": problem}
        breakdown = {**formula.breakdown, **why}
        return formula.replace(breakdown=breakdown, requested=LLM, problem=problem)
    assessment = assess_judged(judgement.score)
    _tell(assessment)
    breakdown = {"llm_score": assessment.value, **judgement_fields(judgement)}
    return Calculation(
        assessment, breakdown, LLM, LLM, judgement, warnings=judgement_warnings(judgement)
    )


async def calculate_hybrid(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig,
    judges: Judges,
    prompt: Prompt | None = SHIPPED,
) -> Calculation:
    """Calculate by both, always (A002-7); without the judge's answer the formula counts alone.

    Raises ConfidenceError for what is no state.
    """
    formula = calculate_formula(state, config)
    judgement, problem = await judged(state, config, judges, prompt)
    weights = config.hybrid_settings
    score = judgement.score if judgement else None
    assessment = combine(
        formula.assessment, score, weights.formula_weight, weights.llm_weight, why=problem
    )
    _tell(assessment)
    breakdown = {
        **hybrid_breakdown(assessment, weights.formula_weight, weights.llm_weight),
        **formula.breakdown,
        **(judgement_fields(judgement) if judgement else {}),
    }
    warnings = (*formula.warnings, *judgement_warnings(judgement))
    return Calculation(assessment, breakdown, HYBRID, HYBRID, judgement, problem, warnings=warnings)


async def calculate_selective(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig,
    judges: Judges,
    prompt: Prompt | None = SHIPPED,
) -> Calculation:
    """Calculate by the judge in the grey zone, else by the formula.

    Of the answers beside the zone a share, chosen by their digest, is judged and counted by the
    formula all the same: it shows what asking nobody misses. Without an answer of the judge, or
    beyond the budget of the month, the formula counts. Raises ConfidenceError for what is no state.
    """
    formula = calculate_formula(state, config)
    zone, value = config.selective_settings, formula.assessment.value
    grey = zone.low <= value <= zone.high
    asked = GREY if grey else SAMPLE if _draw(state) < zone.sample_share else ""
    judgement, problem = None, ""
    if asked:
        problem = over_budget(zone.monthly_budget, judges, config.llm_settings)
        if not problem:
            judgement, problem = await judged(state, config, judges, prompt)
    if judgement:
        count_dollars(judges, judgement.cost)
    score = judgement.score if judgement else None
    decides = grey and judgement is not None
    weights = (0.0, 1.0) if decides else (1.0, 0.0)
    assessment = combine(formula.assessment, score, *weights, why=problem).replace(model=SELECTIVE)
    _tell(assessment)
    breakdown = {
        "formula_score": value,
        "llm_score": score,
        "asked": asked,
        **({"fallback": "formula", "fallback_reason": problem} if problem else {}),
        **formula.breakdown,
        **(judgement_fields(judgement) if judgement else {}),
    }
    warnings = (*formula.warnings, *judgement_warnings(judgement))
    methods = (SELECTIVE, SELECTIVE)
    return Calculation(assessment, breakdown, *methods, judgement, problem, warnings=warnings)


async def shadow_scores(
    calculation: Calculation,
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig,
    judges: Judges,
    prompt: Prompt | None = SHIPPED,
) -> tuple[dict[str, float], Judgement] | None:
    """Return the score of each method for an answer that one of them has scored already.

    The judge is asked unless it was; without its answer None.
    """
    judgement = calculation.judgement
    if judgement is None:
        judgement, _ = await judged(state, config, judges, prompt)
    if judgement is None:
        return None
    formula = calculate_formula(state, config).assessment
    both, zone = config.hybrid_settings, config.selective_settings
    hybrid = combine(formula, judgement.score, both.formula_weight, both.llm_weight)
    grey = zone.low <= formula.value <= zone.high
    scores = {MODEL: formula.value, LLM: rounded(judgement.score), HYBRID: hybrid.value}
    return {**scores, SELECTIVE: scores[LLM if grey else MODEL]}, judgement


def over_budget(budget: float, judges: Judges, judge: LLMConfidenceSettings) -> str:
    """Return why the judge is not asked within a budget of the month in dollars, or ""."""
    price = judges.price(judge)
    if price is None:
        model = f"{judge.provider}/{judge.model}"
        return f"the price of {model} is not known, so that the monthly budget cannot be kept"
    folder = state_folder(judges.env)
    if not folder:
        return "there is no state folder to count the monthly budget in"
    try:
        spent = spent_this_month(folder, time.time())
    except OSError as error:
        return f"the monthly budget cannot be counted: {error.strerror or error}"
    if spent + price <= budget and budget:
        return ""
    used = f"${spent:g} of it spent this month"
    return f"selective_settings.monthly_budget: ${budget:g} is the budget, {used}"


def count_dollars(judges: Judges, dollars: float | None) -> None:
    """Count what a judgement cost against the budget of the month."""
    folder = state_folder(judges.env)
    if not folder or not dollars:
        return
    try:
        spend(folder, time.time(), dollars)
    except OSError as error:
        LOG.warning("Confidence: the monthly budget cannot be counted: %s", error)


def _draw(state: Mapping[str, Any]) -> float:
    """Return a number from 0 to 1 that the same texts always have."""
    return int(digest_parts([str(state.get(name)) for name in TEXTS]), 16) / 16**32


def judgement_warnings(judgement: Judgement | None) -> tuple[str, ...]:
    """Return what is odd about a judgement's score, in words."""
    if judgement is None:
        return ()
    if judgement.parse_error:
        return ("the judge's reply holds no score; 0.5 is used",)
    return ("the judge's score is beyond 0 to 1 and was clamped",) if judgement.clamped else ()


def judgement_fields(judgement: Judgement) -> dict[str, Any]:
    """Return what a breakdown says of a judgement (R002-11, A002-6)."""
    return {
        "llm_raw_response": judgement.raw_response,
        "llm_model": judgement.model,
        "llm_provider": judgement.provider,
        "prompt_version": judgement.prompt_version,
        "parse_error": judgement.parse_error,
        "clamped": judgement.clamped,
        "truncated": bool(judgement.truncated),
        "input_tokens": judgement.input_tokens,
        "output_tokens": judgement.output_tokens,
        "cost": judgement.cost,
        "milliseconds": judgement.milliseconds,
        "attempts": judgement.attempts,
        "cached": judgement.cached,
    }


async def judged(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig,
    judges: Judges,
    prompt: Prompt | None,
) -> tuple[Judgement | None, str]:
    """Return the judgement, or None and why there is none (R002-11: any failure counts)."""
    query, context, response = (state.get(name) or "" for name in TEXTS)
    try:
        judgement = await judges.judge(
            config.llm_settings, query=query, context=context, response=response, prompt=prompt
        )
    except JudgeError as error:
        problem = str(error)
        LOG.warning("Confidence (llm): %s; the formula is used", problem)
    except Exception as error:
        problem = f"{type(error).__name__}: the judge failed"
        LOG.exception("Confidence (llm): failed; the formula is used")
    else:
        return judgement, ""
    return None, problem


def _tell(assessment: Assessment) -> None:
    """Log method, score and each component with its weight (R002-16)."""
    parts = ", ".join(
        f"{factor.name} {'none' if factor.value is None else format(factor.value, '.3f')}"
        f"@{factor.weight:.2f}"
        for factor in assessment.factors
    )
    LOG.info("Confidence (%s): %.3f (%s)", assessment.model, assessment.value, parts)
