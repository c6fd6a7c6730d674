"""Matches in a text alone, and recorded hook inputs answered one by one."""

from __future__ import annotations

from typing import Any

from groundwire.base import json_codec
from groundwire.base.budget import UNWATCHED
from groundwire.base.errors import TranscriptError
from groundwire.base.model import Turn
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED, Settings
from groundwire.inputs.event import read_event
from groundwire.language.automaton import Scanner
from groundwire.language.detect import unchecked
from groundwire.report.json_output import match_fields
from groundwire.settings.runtime import Runtime
from groundwire.verdict.analysis import analyse
from groundwire.verdict.decision import Memory
from groundwire.verdict.evidence import Evidence
from groundwire.verdict.examine import examine, turn_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from groundwire.base.budget import Watch
    from groundwire.base.model import Analysis, Match

    class FoundMatch(TypedDict):
        """A statement that goes beyond the evidence.
        ``evidence`` is the exact slice of the text at ``offset``, which counts code points.
        ``confidence`` is from 0 to 100: how likely a careful reader would object.
        """

        kind: str
        evidence: str
        offset: int
        confidence: int


_shipped: list[Scanner] = []


def find_matches(
    text: str,
    *,
    threshold: int | None = None,
    settings: Settings | None = None,
    scanner: Scanner | None = None,
    watch: Watch = UNWATCHED,
) -> list[FoundMatch]:
    """Return the statements of ``text`` that go beyond the evidence, by offset.

    Args:
        text: Prose, such as an agent's final message; Markdown is understood.
        threshold: Report from this confidence on, 0 for everything; else that of the settings.
        settings: Settings in effect; the shipped ones by default, files are not read.
        scanner: Scanner of another rule set; the shipped one by default.
        watch: Its notes gain what was left out: an expression that takes too long.

    Nothing is raised for any text.

    >>> find_matches("I think it is the parser.")
    [{'kind': 'speculation_language', 'evidence': 'I think', 'offset': 0, 'confidence': 75}]
    """
    used = settings or SHIPPED
    analysis = analyse(text, scanner or _shipped_scanner(), used, Evidence(watch=watch))
    return [
        {
            "kind": match.kind,
            "evidence": match.evidence,
            "offset": match.offset,
            "confidence": match.confidence,
        }
        for match in reported(analysis, used, threshold)
    ]


def reported(analysis: Analysis, settings: Settings, threshold: int | None) -> list[Match]:
    """Return the matches from ``threshold`` on, by default that of the settings."""
    floor = settings.thresholds.report if threshold is None else threshold
    return [match for match in analysis.matches if match.confidence >= floor]


def _shipped_scanner() -> Scanner:
    """Return one scanner for all calls: it keeps what it has read of the rules."""
    if not _shipped:
        _shipped.append(Scanner(shipped_rules()))
    return _shipped[0]


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
