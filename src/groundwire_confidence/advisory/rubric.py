"""Points for retrieval, source and response, and the qualities that they stand for (R001-02 to 04).

Points run up to 0.4, 0.3 and 0.3; a quality is points divided by that cap, from 0 to 1 (A001-1).
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire_confidence.assessment import unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

RETRIEVAL_CAP = 0.4
SOURCE_CAP = 0.3
RESPONSE_CAP = 0.3

#: Points of the best source class: R001-03.
SOURCE_POINTS = {
    "government": 0.3,
    "regulatory": 0.25,
    "market_data": 0.2,
    "third_party": 0.1,
}
COMPLETE_POINTS = 0.3
NO_OPTIONAL_POINTS = 0.2
NO_REQUIRED_POINTS = 0.1


class Rubric(Record):
    """What the rubric leaves open: cut-offs of relevance and the fields of a whole response."""

    high_relevance: float = 0.8
    medium_relevance: float = 0.6
    required: tuple[str, ...] = ("summary", "confidence")
    optional: tuple[str, ...] = ("market_context",)


DEFAULT_RUBRIC = Rubric()


class Chunk(Record):
    """One retrieved passage: its similarity to the question (0 to 1) and the class of its source.

    ``source_type`` is a key of SOURCE_POINTS, or "" when the class is not known.
    """

    similarity: float
    source_type: str = ""


class Points(Record):
    """Points of one part of the rubric, the quality from 0 to 1, and why."""

    points: float
    quality: float
    why: str


def retrieval_points(chunks: Iterable[Chunk], rubric: Rubric = DEFAULT_RUBRIC) -> Points:
    """Return the points of the most relevant chunk, linear inside its band (A001-7)."""
    best = max((unit("similarity", chunk.similarity) for chunk in chunks), default=0.0)
    high, medium = _cut_offs(rubric)
    if best <= 0:
        return Points(0.0, 0.0, "no relevant chunk")
    if best >= high:
        points, name = 0.3 + 0.1 * _share(best, high, 1.0), "high"
    elif best >= medium:
        points, name = 0.2 + 0.1 * _share(best, medium, high), "medium"
    else:
        points, name = 0.1 + 0.1 * _share(best, 0.0, medium), "low"
    return _points(points, RETRIEVAL_CAP, f"best chunk of {name} relevance, {best:g}")


def _share(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 1.0


def _cut_offs(rubric: Rubric) -> tuple[float, float]:
    high = unit("high_relevance", rubric.high_relevance)
    medium = unit("medium_relevance", rubric.medium_relevance)
    if not 0 < medium < high:
        values = f"high_relevance {high:g}, medium_relevance {medium:g}"
        raise ConfidenceError(f"{values}: allowed: 0 < medium_relevance < high_relevance")
    return high, medium


def source_points(chunks: Iterable[Chunk], rubric: Rubric = DEFAULT_RUBRIC) -> Points:
    """Return the points of the best source class among the relevant chunks (A001-8).

    Relevant are those of medium relevance on; the source of another one shows nothing.
    """
    best, name = 0.0, ""
    for chunk in chunks:
        if chunk.similarity < rubric.medium_relevance:
            continue
        source_type = source_class(chunk.source_type)
        points = SOURCE_POINTS.get(source_type, 0.0)
        if points > best:
            best, name = points, source_type
    why = f"best source: {name.replace('_', ' ')}" if name else "no relevant source of known class"
    return _points(best, SOURCE_CAP, why)


def source_class(name: object) -> str:
    """Return the key of SOURCE_POINTS that a spelling stands for, "" for None or "".

    Raises ConfidenceError for any other name.
    """
    if name is None or name == "":
        return ""
    key = name.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(name, str) else ""
    if key not in SOURCE_POINTS:
        allowed = ", ".join(SOURCE_POINTS)
        raise ConfidenceError(f"source_type: value {name!r:.60}: allowed: {allowed}")
    return key


def response_points(response: Mapping[str, Any] | None, rubric: Rubric = DEFAULT_RUBRIC) -> Points:
    """Return the points of a decoded response; None stands for one that is no JSON object.

    A field that is null or blank counts as missing.
    """
    if response is None:
        return Points(0.0, 0.0, "invalid JSON")
    missing = _missing_fields(response, rubric.required)
    if missing:
        points, why = NO_REQUIRED_POINTS, f"missing required: {', '.join(missing)}"
    elif optional := _missing_fields(response, rubric.optional):
        points, why = NO_OPTIONAL_POINTS, f"missing optional: {', '.join(optional)}"
    else:
        points, why = COMPLETE_POINTS, "complete"
    return _points(points, RESPONSE_CAP, why)


def _missing_fields(response: Mapping[str, Any], fields: Iterable[str]) -> list[str]:
    return [field for field in fields if _is_blank(response.get(field))]


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _points(points: float, cap: float, why: str) -> Points:
    return Points(points, min(1.0, points / cap), why)
