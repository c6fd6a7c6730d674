"""One answer with its retrieval results, scored: the whole of requirement group 001 in one call."""

from __future__ import annotations

from groundwire.confidence.advisory.engines import Intent, Selection, select_advisory, take_advisory
from groundwire.confidence.advisory.formula import (
    ADVISORY_THRESHOLD,
    USAGE,
    assess,
    assess_qualities,
)
from groundwire.confidence.advisory.parse import Response, parse_response, warning
from groundwire.confidence.advisory.rubric import (
    DEFAULT_RUBRIC,
    Chunk,
    Rubric,
    response_points,
    retrieval_points,
    source_class,
    source_points,
)
from groundwire.confidence.assessment import Assessment, unit
from groundwire.errors import ConfidenceError
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

#: Where the confidence comes from: the rubric, or the response itself when nothing is known of
#: the retrieval.
RUBRIC = "rubric"
STATED = "stated"
_SIMILARITY_KEYS = ("similarity", "relevance", "score")


class Advisory(Record):
    """An answer with its confidence and what follows from it; ``basis`` is RUBRIC or STATED."""

    response: Response
    basis: str
    assessment: Assessment
    warning: str
    intent: Intent
    selection: Selection


def score_document(
    document: object,
    *,
    threshold: float = ADVISORY_THRESHOLD,
    rubric: Rubric = DEFAULT_RUBRIC,
) -> Advisory:
    """Score a decoded document: ``{"response": ..., "chunks": [...]}`` or a bare response.

    Raises ConfidenceError naming the field that is not as it should be.
    """
    if not isinstance(document, dict):
        raise ConfidenceError(f"found a JSON {_type(document)}; allowed: an object")
    wrapped = "response" in document
    chunks = read_chunks(document["chunks"]) if wrapped and "chunks" in document else None
    response = parse_response(document["response"] if wrapped else document)
    return score(response, chunks, threshold=threshold, rubric=rubric)


def score(
    response: Response,
    chunks: Sequence[Chunk] | None,
    *,
    threshold: float = ADVISORY_THRESHOLD,
    rubric: Rubric = DEFAULT_RUBRIC,
) -> Advisory:
    """Score a response; without ``chunks`` (None) the confidence that it states counts."""
    if chunks is None:
        assessment = assess(response.stated.confidence, threshold=threshold)
    else:
        assessment = _rubric_assessment(response, chunks, threshold, rubric)
    intent = take_advisory(response.fields or {}, assessment.value, threshold)
    return Advisory(
        response,
        STATED if chunks is None else RUBRIC,
        assessment,
        warning(assessment.value, threshold),
        intent,
        select_advisory(intent.context, threshold),
    )


def _rubric_assessment(
    response: Response, chunks: Sequence[Chunk], threshold: float, rubric: Rubric
) -> Assessment:
    parts = {
        "retrieval": retrieval_points(chunks, rubric),
        "source": source_points(chunks),
        "response": response_points(response.fields, rubric),
    }
    return assess_qualities(
        *(part.quality for part in parts.values()),
        threshold=threshold,
        why={name: part.why for name, part in parts.items()},
    )


def read_chunks(value: object) -> tuple[Chunk, ...]:
    """Read a decoded list of retrieval results; raises ConfidenceError naming the chunk."""
    if not isinstance(value, list):
        raise ConfidenceError(f"chunks: found a JSON {_type(value)}; allowed: a list of objects")
    return tuple(_chunk(item, f"chunks[{number}]") for number, item in enumerate(value))


def _chunk(item: object, place: str) -> Chunk:
    if not isinstance(item, dict):
        raise ConfidenceError(f"{place}: found a JSON {_type(item)}; allowed: an object")
    key = next((key for key in _SIMILARITY_KEYS if key in item), None)
    if key is None:
        raise ConfidenceError(f"{place}: allowed: a key {', '.join(_SIMILARITY_KEYS)}, 0 to 1")
    try:
        return Chunk(unit(key, item[key]), source_class(item.get("source_type")))
    except ConfidenceError as error:
        raise ConfidenceError(f"{place}.{error}") from None


def advisory_fields(advisory: Advisory) -> dict[str, Any]:
    """Return ``advisory`` as JSON-safe fields, the same keys for every answer."""
    assessment, stated = advisory.assessment, advisory.response.stated
    return {
        "confidence": assessment.value,
        "flag": assessment.level,
        "usage": USAGE[assessment.level],
        "threshold": assessment.threshold,
        "met": assessment.met,
        "basis": advisory.basis,
        "stated": {"confidence": stated.confidence, "reason": stated.reason},
        "factors": {
            factor.name: {
                "quality": factor.value,
                "weight": factor.weight,
                "points": factor.contribution,
                "why": factor.why,
            }
            for factor in assessment.factors
        },
        "why": assessment.why,
        "warning": advisory.warning,
        "event": advisory.intent.event,
        "context": advisory.intent.context,
        "marketInfo": advisory.selection.market_info,
        "decision_warning": advisory.selection.warning,
    }


def _type(value: object) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")
