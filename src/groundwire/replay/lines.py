"""One outcome as one line of JSON, for other programs."""

from __future__ import annotations

import json

from groundwire.render.match_json import full_fields
from groundwire.replay.run import Outcome


def json_line(outcome: Outcome) -> str:
    """Return one outcome as one line of JSON."""
    fields = {
        "session_id": outcome.turn.session_id,
        "transcript": str(outcome.path),
        "turn": outcome.number,
        "timestamp": outcome.turn.timestamp,
        "message_id": outcome.turn.message_id,
        "decision": outcome.decision.action,
        "reason": outcome.reason,
        "matches": [full_fields(match) for match in outcome.decision.matches],
    }
    return json.dumps(fields)
