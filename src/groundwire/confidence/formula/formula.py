"""Confidence in an answer from its retrieved documents and its length (requirement group 002).

    confidence = clamp(0.80 * similarity + 0.10 * source boost + 0.10 * length boost, 0, 1)

The weights can be configured. No model is asked.
"""

from __future__ import annotations

from groundwire.confidence.advisory.formula import USAGE, advisory_flag
from groundwire.confidence.assessment import (
    Assessment,
    AssessmentFactor,
    number,
    rounded,
    shown,
    unit,
)
from groundwire.errors import ConfidenceError

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
