"""Reading a model's response and the confidence that it states (R001-08, R001-09, A001-4)."""

from __future__ import annotations

from math import isfinite

from groundwire.base import json_codec
from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire_confidence.advisory.formula import (
    ADVISORY_THRESHOLD,
    USAGE,
    Intent,
    Selection,
    assess,
    assess_qualities,
    is_met,
    select_advisory,
    take_advisory,
    two_decimals,
)
from groundwire_confidence.advisory.retrieved import SIMILARITY_KEYS, assess_passages
from groundwire_confidence.advisory.rubric import (
    DEFAULT_RUBRIC,
    Chunk,
    Rubric,
    response_points,
    retrieval_points,
    source_class,
    source_points,
)
from groundwire_confidence.assessment import Assessment, unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


#: What a response without a readable confidence is worth: R001-08.
UNPARSED_CONFIDENCE = 0.5
UNPARSED = "unparsed"
CLAMPED = "clamped"


class Stated(Record):
    """The confidence that a response states, from 0 to 1.

    ``reason`` is "" when it stands there like that, ``clamped`` when it was beyond 0..1, and
    ``unparsed`` when there is none that can be read.
    """

    confidence: float
    reason: str = ""


class Response(Record):
    """A decoded response; ``fields`` is None when it is no JSON object."""

    fields: dict[str, Any] | None
    stated: Stated


def parse_response(raw: object) -> Response:
    """Read a response given as decoded JSON or as the text or bytes that a model wrote."""
    fields = raw
    if isinstance(raw, str | bytes):
        try:
            fields = json_codec.loads(raw)
        except (ValueError, RecursionError):
            fields = None
    if not isinstance(fields, dict):
        return Response(None, Stated(UNPARSED_CONFIDENCE, UNPARSED))
    return Response(fields, stated_confidence(fields.get("confidence")))


def stated_confidence(value: object) -> Stated:
    """Return the confidence that a field holds: a number, or a number written as text.

    An honest 0 stays 0. A truth value, NaN and infinity are no numbers here.
    """
    number = _number(value)
    if number is None:
        return Stated(UNPARSED_CONFIDENCE, UNPARSED)
    clamped = min(1.0, max(0.0, number))
    return Stated(clamped, "" if clamped == number else CLAMPED)


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and (not value.isascii() or "_" in value):
        return None  # float() takes them, but JSON and JavaScript do not
    if not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def warning(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> str:
    """Return the adapter's warning for a confidence below the threshold, else ""."""
    if is_met(confidence, threshold):
        return ""
    value = two_decimals(confidence, threshold)
    return f"[RAG Adapter] Low confidence ({value} < {threshold:g}). Advisory-only."


#: Where the confidence comes from: the rubric, or the response itself when nothing is known of
#: the retrieval.
RUBRIC = "rubric"
STATED = "stated"


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
    prose: bool = False,
) -> Advisory:
    """Score a response; without ``chunks`` (None) the confidence that it states counts.

    Of ``prose`` nobody expects fields: retrieval and source make up the whole.
    """
    if chunks is None:
        assessment = assess(response.stated.confidence, threshold=threshold)
    elif prose:
        assessment = assess_passages(chunks, threshold, rubric)
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
        "source": source_points(chunks, rubric),
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
    key = next((key for key in SIMILARITY_KEYS if key in item), None)
    if key is None:
        raise ConfidenceError(f"{place}: allowed: a key {', '.join(SIMILARITY_KEYS)}, 0 to 1")
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
