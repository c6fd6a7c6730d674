"""What the intent and the decision engine do with an advisory answer (R001-12, R001-13).

The keys of the context and of the event are those of the requirement. An answer never makes a
decision: it only adds market information when it is good enough.
"""

from __future__ import annotations

from groundwire.confidence.advisory.formula import (
    ADVISORY_THRESHOLD,
    VERY_LOW,
    advisory_flag,
    is_met,
)
from groundwire.confidence.assessment import rounded
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

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
