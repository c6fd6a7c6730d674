"""The one JSON object that the hook prints, or nothing."""

from __future__ import annotations

from groundwire import json_codec
from groundwire.model import BLOCK, Decision, Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MOST_MATCHES = 20


def stop_json(
    decision: Decision, reason: str, messages: Sequence[str], *, strict_host: bool
) -> str:
    """Return the answer to a Stop event; "" when there is nothing to say.

    A ``strict_host`` gets no key that its contract does not name, and always an object.
    """
    fields: dict[str, Any] = {}
    if decision.action == BLOCK:
        fields = {"decision": "block", "reason": reason}
    if decision.matches and not strict_host:
        worst = sorted(decision.matches, key=lambda m: -m.confidence)[:MOST_MATCHES]
        fields["matches"] = [match_fields(m) for m in sorted(worst, key=lambda m: m.offset)]
    return encoded(fields, messages) or ("{}" if strict_host else "")


def encoded(fields: dict[str, Any], messages: Sequence[str]) -> str:
    """Return an answer with what the user is told; "" for none."""
    if messages:
        fields["systemMessage"] = "\n".join(messages)
    return json_codec.dumps(fields) if fields else ""


def match_fields(match: Match, offset: int | None = None) -> dict[str, Any]:
    """Return ``kind``, ``evidence``, ``offset`` and ``confidence`` of a match, in this order.

    ``offset`` replaces the match's own, for another unit than code points. What a judge says of
    the statement stands behind them, when one was asked.
    """
    fields = {
        "kind": match.kind,
        "evidence": match.evidence,
        "offset": match.offset if offset is None else offset,
        "confidence": match.confidence,
    }
    if match.judged:
        judged = match.judged
        fields["judge"] = {
            "probability": judged.probability,
            "why": judged.why,
            "call": judged.call,
        }
    return fields
