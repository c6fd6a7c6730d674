"""One line of the decision log as plain data.

Whole messages are never written, only the evidence of matches, cut short and without secrets.
"""

from __future__ import annotations

import os
import time

from groundwire.base.model import Decision, Match
from groundwire.language.safe import all_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

EVIDENCE_CHARACTERS = 80
MAX_MATCHES = 100  # of one message; the most confident are kept
_ID_CHARACTERS = 200
_PATH_CHARACTERS = 1_024
_NOTE_CHARACTERS = 500
_MAX_NOTES = 20


def decision_record(  # noqa: PLR0913 - one argument per field of the log
    version: str,
    event: Mapping[str, Any],
    decision: Decision,
    *,
    message_id: str = "",
    suppressed: int = 0,
    milliseconds: float = 0.0,
    error: str = "",
    notes: Sequence[str] = (),
    models: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the log line of one decision as plain data.

    ``event`` is the hook input as it came; values of an unexpected type become empty strings.
    ``models`` holds what the confidence models say, by their names; they come last.
    """
    transcript = _text(event, "agent_transcript_path", _PATH_CHARACTERS)
    now = time.time_ns()
    hidden = all_hidden(
        {
            "why": decision.why[:_NOTE_CHARACTERS],
            "matches": [_match_fields(match) for match in _kept_matches(decision.matches)],
            "error": error[:_NOTE_CHARACTERS],
            "notes": [note[:_NOTE_CHARACTERS] for note in notes[:_MAX_NOTES]],
            "models": dict(models or {}),
        }
    )
    return {
        "id": _own_id(now),
        "time": _utc_time(now),
        "version": version,
        "event": _text(event, "hook_event_name", _ID_CHARACTERS),
        "session": _text(event, "session_id", _ID_CHARACTERS),
        "prompt_id": _text(event, "prompt_id", _ID_CHARACTERS),
        "agent_id": _text(event, "agent_id", _ID_CHARACTERS),
        "agent_type": _text(event, "agent_type", _ID_CHARACTERS),
        "message_id": message_id[:_ID_CHARACTERS],
        "transcript": transcript or _text(event, "transcript_path", _PATH_CHARACTERS),
        "decision": decision.action,
        "why": hidden["why"],
        "matches": hidden["matches"],
        "counts": {
            "matches": len(decision.matches),
            "blocking": len(decision.blocking),
            "suppressed": suppressed,
        },
        "milliseconds": round(milliseconds, 1),
        "error": hidden["error"],
        "notes": hidden["notes"],
        **hidden["models"],
    }


def _own_id(nanoseconds: int) -> str:
    """Return an id that sorts by time and that no other process makes."""
    return f"{nanoseconds:016x}-{os.urandom(6).hex()}"


def _utc_time(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{moment}.{rest // 1_000_000:03d}Z"


def _text(event: Mapping[str, Any], key: str, limit: int) -> str:
    value = event.get(key)
    return value[:limit] if isinstance(value, str) else ""


def _kept_matches(matches: Sequence[Match]) -> list[Match]:
    if len(matches) <= MAX_MATCHES:
        return list(matches)
    chosen = sorted(matches, key=lambda match: -match.confidence)[:MAX_MATCHES]
    return sorted(chosen, key=lambda match: match.offset)


def _match_fields(match: Match) -> dict[str, Any]:
    verdict = match.verdict
    fields = {
        "kind": match.kind,
        "marker": match.marker.id,
        "offset": match.offset,
        "length": len(match.evidence),
        "evidence": match.evidence[:EVIDENCE_CHARACTERS],
        "confidence": match.confidence,
        "verdict": verdict.status if verdict else "",
        "call_id": verdict.call_id[:_ID_CHARACTERS] if verdict else "",
    }
    return {**fields, "accuser": match.accuser} if match.accuser else fields
