"""The wiring off the hook path: settings from all layers, scanner, results of events."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire import json_codec
from groundwire.config.load import load
from groundwire.decision import Memory
from groundwire.errors import TranscriptError
from groundwire.event import read_event
from groundwire.model import BLOCKER, CUE, Marker, Turn
from groundwire.record import Record
from groundwire.render.hook_json import match_fields
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine, turn_of
from groundwire.settings import Settings


class Runtime(Record):
    """What every command needs: the settings in effect and the scanner for their rules."""

    settings: Settings
    scanner: Scanner
    warnings: tuple[str, ...] = ()

    def markers(self) -> Iterator[Marker]:
        """Yield all markers that can become a match."""
        for row in range(len(self.scanner.rules.rows())):
            marker = self.scanner.marker(row)
            if marker.kind not in (BLOCKER, CUE):
                yield marker


def load_runtime(flags: Mapping[str, Any] | None = None) -> Runtime:
    """Load the settings of this folder, environment and ``flags``; raises ConfigError."""
    loaded = load(os.environ, os.getcwd(), flags)
    scanner = Scanner(loaded.rules or shipped_rules())
    return Runtime(loaded.settings, scanner, loaded.warnings)


def event_result(line: bytes, runtime: Runtime, verbose: bool) -> tuple[dict[str, Any], str]:
    """Return what the filter prints for one recorded hook input, and an error or "".

    Stateless: every event is the first of its session. Without a readable transcript the message
    is analysed as bare text.
    """
    empty: dict[str, Any] = {"session_id": None, "decision": "pass", "matches": []}
    try:
        raw = json_codec.loads(line)
    except ValueError as error:
        return empty, f"{error}; expected one JSON object a line"
    if not isinstance(raw, dict):
        return empty, f"found a JSON {type(raw).__name__}; expected an object"
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
    return {
        **empty,
        "session_id": event.session_id,
        "decision": decision,
        "matches": matches,
    }, problem
