"""Advisory confidence of an answer made from retrieved passages (requirement group 001).

confidence = clamp(0.4 * retrieval + 0.3 * source + 0.3 * response, 0, 1)

The three qualities run from 0 to 1; ``advisory_rubric`` gives points for each and the quality that
they stand for. Below the advisory threshold an answer is used with caution or not at all.

The keys of the context and of the event are those of the requirement. An answer never makes a
decision: it only adds market information when it is good enough.
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire_confidence.assessment import (
    Assessment,
    AssessmentFactor,
    Bands,
    number,
    reaches,
    rounded,
    unit,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


#: Weights of the formula: R001-05.
RETRIEVAL_WEIGHT = 0.4
SOURCE_WEIGHT = 0.3
RESPONSE_WEIGHT = 0.3
#: R001-06; the lower bound of MEDIUM_CONFIDENCE.
ADVISORY_THRESHOLD = 0.7
#: Lower bounds of the outer bands: R001-07. Each bound belongs to the band above it (A001-2).
HIGH_BOUND = 0.9
LOW_BOUND = 0.5

HIGH = "HIGH_CONFIDENCE"
MEDIUM = "MEDIUM_CONFIDENCE"
LOW = "LOW_CONFIDENCE"
VERY_LOW = "VERY_LOW_CONFIDENCE"
FLAGS = (HIGH, MEDIUM, LOW, VERY_LOW)
#: What a reader does with an answer of each flag: R001-07.
USAGE = {
    HIGH: "Use directly, cite sources",
    MEDIUM: "Use with caution, verify",
    LOW: "Advisory only, verify required",
    VERY_LOW: "Do not use, flag for review",
}


def calculate_confidence(retrieval: float, source: float, response: float) -> float:
    """Return the confidence of three qualities, clamped to 0..1.

    A quality beyond 0..1 is taken as it is, and only the result is clamped. Raises ConfidenceError
    for what is no finite number.
    """
    return _clamped(sum(_parts(retrieval, source, response)))


def _parts(retrieval: float, source: float, response: float) -> tuple[float, float, float]:
    return (
        RETRIEVAL_WEIGHT * number("retrieval", retrieval),
        SOURCE_WEIGHT * number("source", source),
        RESPONSE_WEIGHT * number("response", response),
    )


def advisory_flag(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> str:
    """Return one of FLAGS for a confidence from 0 to 1; raises ConfidenceError for other values."""
    value = unit("confidence", confidence)
    medium = checked_threshold(threshold)
    bands = Bands(((HIGH, HIGH_BOUND), (MEDIUM, medium), (LOW, LOW_BOUND), (VERY_LOW, 0.0)))
    return bands.level(value)


def checked_threshold(threshold: object) -> float:
    """Return an advisory threshold; raises ConfidenceError when a flag would lose its band."""
    try:
        value = number("threshold", threshold)
    except ConfidenceError:
        value = -1.0
    if not LOW_BOUND <= value <= HIGH_BOUND:
        allowed = f"a number from {LOW_BOUND} to {HIGH_BOUND}"
        raise ConfidenceError(f"threshold: value {threshold!r}: allowed: {allowed}")
    return value


def is_met(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> bool:
    """Tell whether a confidence is good enough to be used without a warning."""
    return reaches(unit("confidence", confidence), checked_threshold(threshold))


def assess_qualities(
    retrieval: float,
    source: float,
    response: float,
    *,
    threshold: float = ADVISORY_THRESHOLD,
    why: Mapping[str, str] | None = None,
) -> Assessment:
    """Return the assessment of three qualities; ``why`` says where each comes from."""
    parts = _parts(retrieval, source, response)
    reasons = why or {}
    factors = tuple(
        AssessmentFactor(name, rounded(value), weight, rounded(part), reasons.get(name, ""))
        for name, value, weight, part in zip(
            ("retrieval", "source", "response"),
            (retrieval, source, response),
            (RETRIEVAL_WEIGHT, SOURCE_WEIGHT, RESPONSE_WEIGHT),
            parts,
            strict=True,
        )
    )
    return assess(_clamped(sum(parts)), threshold=threshold, factors=factors)


def assess(
    confidence: float,
    *,
    threshold: float = ADVISORY_THRESHOLD,
    factors: tuple[AssessmentFactor, ...] = (),
) -> Assessment:
    """Return the assessment of a confidence that is known already."""
    flag = advisory_flag(confidence, threshold)
    value = rounded(confidence)
    met = is_met(confidence, threshold)
    # the number that is shown beside it: a sum of 0.77499999999 is told as 0.775 is
    opening = f"{percent(value, threshold)}% confidence"
    why = f"{opening}: {USAGE[flag]}"
    if not met:
        why = f"Advisory only — {opening}: {USAGE[flag].removeprefix('Advisory only, ')}"
    return Assessment("advisory", value, flag, threshold, met, factors, why)


def percent(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> int:
    """Return a confidence in whole per cent for display; see ``shown_decimals``."""
    return round(float(shown_decimals(confidence * 100, 0, threshold, 100)))


def two_decimals(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> str:
    """Return a confidence with two decimals for display; see ``shown_decimals``."""
    return shown_decimals(confidence, 2, threshold)


def shown_decimals(
    value: float, decimals: int, threshold: float = ADVISORY_THRESHOLD, scale: int = 1
) -> str:
    """Return a confidence of 0 to ``scale`` with fixed ``decimals`` for display.

    Rounded half up, as a browser does it, but downwards where rounding would show a value below
    the bound of a flag as one that reaches it (A001-9).
    """
    text = half_up(value, decimals)
    bounds = (LOW_BOUND, threshold, HIGH_BOUND)
    missed = (one for one in bounds if not reaches(value / scale, one))
    if any(float(text) >= rounded(one * scale) for one in missed):
        text = half_up(int(value * 10**decimals) / 10**decimals, decimals)
    return text


def half_up(value: float, decimals: int) -> str:
    """Return a number of at least 0 with fixed ``decimals``, exact ties upwards.

    The same text as ``toFixed`` of JavaScript, which rounds the exact binary value.
    """
    above, below = value.as_integer_ratio()
    scale = 10**decimals
    units = (2 * above * scale + below) // (2 * below)
    whole, rest = divmod(units, scale)
    return f"{whole}.{rest:0{decimals}d}" if decimals else str(whole)


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


EVENT_TYPE = "RAG_ADVISORY_LOW_CONFIDENCE"
DECISION_WARNING = "[Decision Engine] RAG advisory has low confidence, using engine-only logic"


class Intent(Record):
    """What the intent engine passes on, and the audit event to record, if there is one.

    ``context`` holds ragAdvisory and ragAdvisoryFlag, and usable and review (A001-6): from 0.5 to
    the threshold an answer is passed on flagged, below that it is not usable and needs review.
    """

    context: dict[str, Any]
    event: dict[str, Any] | None = None


class Selection(Record):
    """What the decision engine takes from the answer; the decision itself stays the engine's."""

    market_info: Any = None
    warning: str = ""


def take_advisory(
    response: Mapping[str, Any], confidence: float, threshold: float = ADVISORY_THRESHOLD
) -> Intent:
    """Apply the intent engine's rule to a response with the ``confidence`` found for it."""
    flag = advisory_flag(confidence, threshold)
    context = {
        "ragAdvisory": {**response, "confidence": rounded(confidence)},
        "ragAdvisoryFlag": flag,
        "usable": flag != VERY_LOW,
        "review": flag == VERY_LOW,
    }
    if is_met(confidence, threshold):
        return Intent(context)
    payload = {
        "confidence": rounded(confidence),
        "threshold": threshold,
        "summary": response.get("summary"),
    }
    return Intent(context, {"eventType": EVENT_TYPE, "payload": payload})


def select_advisory(context: Mapping[str, Any], threshold: float = ADVISORY_THRESHOLD) -> Selection:
    """Apply the decision engine's rule to the context that ``take_advisory`` made."""
    response = context.get("ragAdvisory")
    if response is None:
        return Selection()
    if is_met(response["confidence"], threshold):
        return Selection(market_info=response.get("market_context"))
    return Selection(warning=DECISION_WARNING)
