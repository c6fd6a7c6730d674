"""Matches as plain data for JSON, and the one object that the hook prints."""

from __future__ import annotations

from groundwire.base import json_codec
from groundwire.base.model import BLOCK, Decision, Factor, Match, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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


def full_fields(match: Match, offset: int | None = None) -> dict[str, Any]:
    """Return the fields of ``match_fields`` and all that led to them, for ``--format full``."""
    return {
        **match_fields(match, offset),
        "marker": match.marker.id,
        "claim": match.marker.claim,
        "strength": match.marker.strength,
        "context": match.context,
        "verdict": _verdict_fields(match.verdict),
        "factors": [_factor_fields(factor) for factor in match.factors],
    }


def _verdict_fields(verdict: Verdict | None) -> dict[str, str] | None:
    if verdict is None:
        return None
    return {
        "status": verdict.status,
        "why": verdict.why,
        "call_id": verdict.call_id,
        "command": verdict.command,
        "line": verdict.line,
    }


def _factor_fields(factor: Factor) -> dict[str, Any]:
    return {
        "name": factor.name,
        "weight": factor.weight,
        "value": factor.value,
        "points": factor.points,
        "says": factor.says,
        "call_id": factor.call_id,
    }


def utf16_offsets(text: str, offsets: Iterable[int]) -> list[int]:
    """Return code point offsets, in any order, in UTF-16 code units; one pass over ``text``.

    Raises ValueError when one of them lies outside the text.
    """
    positions = list(offsets)
    outside = [offset for offset in positions if not 0 <= offset <= len(text)]
    if outside:
        raise ValueError(f"offset {outside[0]} is outside a text of {len(text)} characters")
    if text.isascii():
        return positions
    units = {}
    at = total = 0
    for offset in sorted(set(positions)):
        # Half a surrogate pair is one unit in JavaScript, too.
        total += len(text[at:offset].encode("utf-16-le", "surrogatepass")) // 2
        at = offset
        units[offset] = total
    return [units[offset] for offset in positions]
