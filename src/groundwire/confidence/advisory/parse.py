"""Reading a model's response and the confidence that it states (R001-08, R001-09, A001-4)."""

from __future__ import annotations

from math import isfinite

from groundwire import json_codec
from groundwire.confidence.advisory.formula import ADVISORY_THRESHOLD, is_met, two_decimals
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
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
