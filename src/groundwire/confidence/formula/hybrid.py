"""The judge's score alone, and its combination with the formula's (requirement group 002).

    confidence = clamp(0.60 * formula + 0.40 * judge, 0, 1)

The judge's score is an argument. Without one the formula's stands, and it counts once (A002-1).
"""

from __future__ import annotations

from groundwire.confidence.advisory.formula import USAGE, advisory_flag
from groundwire.confidence.assessment import Assessment, AssessmentFactor, rounded, unit
from groundwire.confidence.formula.formula import clamped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LLM = "llm"
HYBRID = "hybrid"
#: R002-18.
FORMULA_WEIGHT = 0.60
LLM_WEIGHT = 0.40


def assess_judged(score: float) -> Assessment:
    """Return the assessment of a judge's score from 0 to 1; raises ConfidenceError."""
    value = rounded(unit("llm_score", score))
    level = advisory_flag(value)
    factor = AssessmentFactor("llm_score", value, 1.0, value)
    return Assessment(LLM, value, level, factors=(factor,), why=USAGE[level])


def combine(
    formula: Assessment,
    llm_score: float | None,
    formula_weight: float = FORMULA_WEIGHT,
    llm_weight: float = LLM_WEIGHT,
    why: str = "",
) -> Assessment:
    """Return the hybrid assessment of the formula's and the judge's score.

    Without a judge's score (None) the formula's has weight 1, and ``why`` is the reason. Raises
    ConfidenceError for a score or weight that is no number from 0 to 1.
    """
    weights = (unit("formula_weight", formula_weight), unit("llm_weight", llm_weight))
    given = None if llm_score is None else rounded(unit("llm_score", llm_score))
    one, two = weights if given is not None else (1.0, 0.0)
    factors = (
        AssessmentFactor("formula_score", formula.value, one, rounded(one * formula.value)),
        AssessmentFactor("llm_score", given, two, rounded(two * (given or 0.0)), why),
    )
    value = rounded(clamped(one * formula.value + two * (given or 0.0)))
    level = advisory_flag(value)
    return Assessment(HYBRID, value, level, factors=factors, why=why or USAGE[level])


def hybrid_breakdown(
    assessment: Assessment, formula_weight: float, llm_weight: float
) -> dict[str, Any]:
    """Return both scores and the weights as configured (R002-13).

    Without a judge's score it says so: ``llm_score`` is None, and what was used instead, and why.
    """
    formula, judged = assessment.factors
    fields: dict[str, Any] = {
        "formula_score": formula.value,
        "llm_score": judged.value,
        "formula_weight": formula_weight,
        "llm_weight": llm_weight,
    }
    if judged.value is None:
        fields |= {"fallback": "formula", "fallback_reason": judged.why}
    return fields
