"""Matches in a text alone, as ``groundwire.find_matches`` and ``groundwire scan`` give them."""

from __future__ import annotations

from groundwire.analysis import Evidence, analyse
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.settings import SHIPPED, Settings
from groundwire.watch import UNWATCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from groundwire.model import Analysis, Match
    from groundwire.watch import Watch

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
