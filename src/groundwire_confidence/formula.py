"""Confidence by formula, and combined with a judge's score (requirement group 002).

confidence = clamp(0.80 * similarity + 0.10 * source boost + 0.10 * length boost, 0, 1)

The weights can be configured. No model is asked.

confidence = clamp(0.60 * formula + 0.40 * judge, 0, 1)

The judge's score is an argument. Without one the formula's stands, and it counts once (A002-1).
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire_confidence.advisory.formula import USAGE, advisory_flag, shown_decimals
from groundwire_confidence.assessment import (
    Assessment,
    AssessmentFactor,
    number,
    rounded,
    shown,
    unit,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


MODEL = "formula"
#: R002-20: weights of similarity, source boost and length boost.
SIMILARITY_WEIGHT = 0.80
SOURCE_WEIGHT = 0.10
LENGTH_WEIGHT = 0.10
#: R002-03: shares of the best, second and third document, by how many there are.
_SHARES: tuple[tuple[float, ...], ...] = ((), (1.0,), (0.7, 0.3), (0.6, 0.3, 0.1))
#: R002-04: a document above this similarity is a source, and what so many sources are worth.
SOURCE_SIMILARITY = 0.75
_SOURCE_BOOSTS = (0.0, 0.3, 0.6, 1.0)
#: R002-05: length of the response in characters, and what it is worth from there.
_LENGTH_BOOSTS = ((200, 1.0), (100, 0.5))
NO_DOCUMENTS = "no context documents: the formula gives 0.0"


def similarities(docs: object) -> list[float]:
    """Return the similarity of each document, 0 to 1, the best first (A002-4).

    A document is a mapping; one without ``similarity`` counts as 0, a value beyond 0..1 as the
    bound. Raises ConfidenceError for what is no list of documents.
    """
    if docs is None:
        return []
    if not isinstance(docs, list | tuple):
        raise ConfidenceError(f"context_docs: value {shown(docs)}: allowed: a list of documents")
    return sorted((clamped(_similarity(at, doc)) for at, doc in enumerate(docs)), reverse=True)


def _similarity(position: int, doc: object) -> float:
    place = f"context_docs[{position}]"
    get = getattr(doc, "get", None)
    if get is None:
        raise ConfidenceError(f"{place}: value {shown(doc)}: allowed: an object with a similarity")
    value = get("similarity")
    return 0.0 if value is None else number(f"{place}.similarity", value)


def similarity_score(best_first: Sequence[float]) -> float:
    """Return the weighted similarity of the first three documents; 0.0 without documents."""
    shares = _SHARES[min(len(best_first), len(_SHARES) - 1)]
    return sum(share * value for share, value in zip(shares, best_first, strict=False))


def source_boost(values: Sequence[float]) -> float:
    """Return what the documents above ``SOURCE_SIMILARITY`` are worth; all of them count."""
    count = sum(rounded(value) > SOURCE_SIMILARITY for value in values)
    return _SOURCE_BOOSTS[min(count, len(_SOURCE_BOOSTS) - 1)]


def length_boost(length: int) -> float:
    """Return what the length of the response, in characters, is worth."""
    return next((boost for bound, boost in _LENGTH_BOOSTS if length >= bound), 0.0)


def assess_documents(
    docs: object,
    length: int,
    weights: tuple[float, float, float] = (SIMILARITY_WEIGHT, SOURCE_WEIGHT, LENGTH_WEIGHT),
) -> Assessment:
    """Return the formula's assessment of a response of ``length`` characters made from ``docs``.

    Without documents the value is 0.0, whatever the length (R002-06). Raises ConfidenceError for
    documents or weights that are none.
    """
    values = similarities(docs)
    parts = (similarity_score(values), source_boost(values), length_boost(length))
    if not values:
        parts = (0.0, 0.0, 0.0)
    factors = tuple(
        AssessmentFactor(name, rounded(value), unit(name, weight), rounded(weight * value))
        for name, weight, value in zip(
            ("similarity_score", "source_boost", "length_boost"), weights, parts, strict=True
        )
    )
    value = rounded(clamped(sum(factor.contribution for factor in factors)))
    level = advisory_flag(value)
    why = USAGE[level] if values else NO_DOCUMENTS
    return Assessment(MODEL, value, level, factors=factors, why=why)


def formula_breakdown(assessment: Assessment) -> dict[str, Any]:
    """Return the three scores of a formula assessment by name (R002-07)."""
    return {factor.name: factor.value for factor in assessment.factors}


def document_problems(docs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each similarity beyond 0..1; it was taken as the bound."""
    return [
        f"context_docs[{at}].similarity: {value:g} is beyond 0 to 1, taken as {clamped(value):g}"
        for at, value in enumerate(_similarity(at, doc) for at, doc in enumerate(docs))
        if clamped(value) != value
    ]


def clamped(value: float) -> float:
    """Return ``value`` within 0 and 1."""
    return min(1.0, max(0.0, value))


LLM = "llm"
HYBRID = "hybrid"
SELECTIVE = "selective"
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


def confidence_text(assessment: Assessment, method: str) -> str:
    """Return value, method and level, then a line for each component with its weight."""
    shown = shown_decimals(assessment.value, 3)
    lines = [f"confidence {shown} by {method}, {assessment.level}: {assessment.why}"]
    for factor in assessment.factors:
        value = "none " if factor.value is None else f"{factor.value:.3f}"
        lines.append(
            f"  {factor.name:16}  {value} x {factor.weight:.2f}  {factor.contribution:.3f}"
        )
    return "\n".join(lines)
