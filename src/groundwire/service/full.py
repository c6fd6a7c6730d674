"""Recorded hook inputs, answered one by one: ``groundwire scan --events``."""

from __future__ import annotations

from typing import Any

from groundwire import json_codec
from groundwire.decision import Memory
from groundwire.errors import TranscriptError
from groundwire.event import read_event
from groundwire.model import Turn
from groundwire.render.hook_json import match_fields
from groundwire.service.examine import examine, turn_of
from groundwire.service.runtime import Runtime
from groundwire.text.language import unchecked

#: The decision on a line that is no event; none of the hook, which lets the turn end.
ERROR = "error"


def event_result(line: bytes, runtime: Runtime, verbose: bool) -> tuple[dict[str, Any], str]:
    """Return what the filter prints for one recorded hook input, and an error or "".

    A line that is no event has the decision ``error``.

    Stateless: every event is the first of its session. Without a readable transcript the message
    is analysed as bare text.
    """
    unread: dict[str, Any] = {"session_id": None, "decision": ERROR, "matches": []}
    try:
        raw = json_codec.loads(line)
    except ValueError as error:
        return unread, f"{error}; expected one JSON object a line"
    if not isinstance(raw, dict):
        return unread, f"found a JSON {type(raw).__name__}; expected an object"
    event = read_event(raw)
    problem = ""
    try:
        turn = turn_of(event)
    except TranscriptError as error:
        turn, problem = Turn(), str(error)
    examined = examine(event, turn, runtime.scanner, runtime.settings, Memory())
    floor = 0 if verbose else runtime.settings.thresholds.report
    matches = [match_fields(m) for m in examined.analysis.matches if m.confidence >= floor]
    decision = examined.decision.action
    name = unchecked(examined.analysis.language)
    return {
        "session_id": event.session_id,
        "decision": decision,
        "matches": matches,
        **({"not_checked": name} if name else {}),
    }, problem
