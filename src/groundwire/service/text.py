"""Matches in a text alone, as ``groundwire.find_matches`` and ``groundwire scan`` give them."""

from __future__ import annotations

from groundwire.analysis import analyse
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.settings import SHIPPED, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire import FoundMatch
    from groundwire.model import Analysis, Match

_shipped: list[Scanner] = []


def find_matches_with(
    text: str, threshold: int | None, settings: Settings | None, scanner: Scanner | None
) -> list[FoundMatch]:
    """Do what ``groundwire.find_matches`` describes."""
    used = settings or SHIPPED
    analysis = analyse(text, scanner or _shipped_scanner(), used)
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
