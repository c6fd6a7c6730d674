"""Matches with all that led to them as plain data for JSON, and their offsets in other units."""

from __future__ import annotations

from groundwire.model import Factor, Match, Verdict
from groundwire.render.hook_json import match_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


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
