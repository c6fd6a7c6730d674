"""Badge and banner of an advisory answer, as HTML and as text for a terminal (R001-14, R001-15).

The words and colours are those of the requirement. Which badge it is follows the flag, which
stands beside it, so that one score has one verdict everywhere.
"""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire_confidence.advisory.formula import (
    ADVISORY_THRESHOLD,
    HIGH,
    MEDIUM,
    advisory_flag,
    is_met,
    percent,
)

_RESET = "\x1b[0m"


class Badge(Record):
    """Words and colours of a badge."""

    text: str
    background: str
    colour: str


HIGH_BADGE = Badge("✓ High Confidence", "#E8F5E9", "#2E7D32")
MEDIUM_BADGE = Badge("⚠ Medium Confidence", "#FFF3E0", "#E65100")
LOW_BADGE = Badge("⚠ Low Confidence - Verify Required", "#FFEBEE", "#C62828")

BADGE_STYLE = "padding:4px 8px;border-radius:4px;font-size:11px"
BANNER_BACKGROUND = "#FFF3E0"
BANNER_COLOUR = "#856404"
BANNER_STYLE = (
    f"padding:8px 12px;background:{BANNER_BACKGROUND};border:1px solid #FFC107;border-radius:6px;"
    f"font-size:12px;color:{BANNER_COLOUR};margin-top:8px"
)


def badge(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> Badge:
    """Return the badge of a confidence from 0 to 1."""
    return {HIGH: HIGH_BADGE, MEDIUM: MEDIUM_BADGE}.get(
        advisory_flag(confidence, threshold), LOW_BADGE
    )


def badge_html(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> str:
    """Return the badge as a ``span`` element, with the flag in another."""
    one = badge(confidence, threshold)
    style = f"{BADGE_STYLE};background:{one.background};color:{one.colour}"
    flag = f'<span style="font-size:11px">{advisory_flag(confidence, threshold)}</span>'
    return f'<span style="{style}">{one.text}</span> {flag}'


def badge_text(
    confidence: float, threshold: float = ADVISORY_THRESHOLD, *, colour: bool = False
) -> str:
    """Return the badge with the flag as one line."""
    one = badge(confidence, threshold)
    text = _painted(f" {one.text} ", one.background, one.colour) if colour else f"[{one.text}]"
    return f"{text} {advisory_flag(confidence, threshold)}"


def banner_words(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> str:
    """Return the words of the banner; "" when the confidence reaches the threshold."""
    if is_met(confidence, threshold):
        return ""
    return (
        f"⚠️ Advisory only — Confidence: {percent(confidence, threshold)}%. "
        "Verify information with primary sources."
    )


def banner_html(confidence: float, threshold: float = ADVISORY_THRESHOLD) -> str:
    """Return the banner as one ``div`` element, or ""."""
    words = banner_words(confidence, threshold)
    return f'<div style="{BANNER_STYLE}">{words}</div>' if words else ""


def banner_text(
    confidence: float, threshold: float = ADVISORY_THRESHOLD, *, colour: bool = False
) -> str:
    """Return the banner as one line, or ""."""
    words = banner_words(confidence, threshold)
    return _painted(words, BANNER_BACKGROUND, BANNER_COLOUR) if words and colour else words


def _painted(text: str, background: str, colour: str) -> str:
    """Return ``text`` in 24-bit colours."""
    return f"\x1b[48;2;{_rgb(background)}m\x1b[38;2;{_rgb(colour)}m{text}{_RESET}"


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
