"""Badge and banner: the words, sizes and colours of requirement 001, at each boundary."""

from __future__ import annotations

import pytest

from groundwire.render.advisory import (
    badge,
    badge_html,
    badge_text,
    banner_html,
    banner_text,
    banner_words,
)

#: Vectors 001-V24 to V29: the badge as printed, the flag of the table beside it.
BADGES = [
    (0.95, "✓ High Confidence", "#E8F5E9", "#2E7D32", "HIGH_CONFIDENCE"),
    (0.85, "✓ High Confidence", "#E8F5E9", "#2E7D32", "MEDIUM_CONFIDENCE"),
    (0.7, "✓ High Confidence", "#E8F5E9", "#2E7D32", "MEDIUM_CONFIDENCE"),
    (0.6999, "⚠ Medium Confidence", "#FFF3E0", "#E65100", "LOW_CONFIDENCE"),
    (0.6, "⚠ Medium Confidence", "#FFF3E0", "#E65100", "LOW_CONFIDENCE"),
    (0.5, "⚠ Medium Confidence", "#FFF3E0", "#E65100", "LOW_CONFIDENCE"),
    (0.49, "⚠ Low Confidence - Verify Required", "#FFEBEE", "#C62828", "VERY_LOW_CONFIDENCE"),
    (0.0, "⚠ Low Confidence - Verify Required", "#FFEBEE", "#C62828", "VERY_LOW_CONFIDENCE"),
]


@pytest.mark.parametrize(("value", "text", "background", "colour", "flag"), BADGES)
def test_badge(value: float, text: str, background: str, colour: str, flag: str) -> None:
    one = badge(value)
    assert (one.text, one.background, one.colour) == (text, background, colour)
    size = "padding:4px 8px;border-radius:4px;font-size:11px"
    style = f'style="{size};background:{background};color:{colour}"'
    assert badge_html(value) == (
        f'<span {style}>{text}</span> <span style="font-size:11px">{flag}</span>'
    )
    assert badge_text(value) == f"[{text}] {flag}"


def test_badge_in_the_colours_of_the_requirement() -> None:
    painted = "\x1b[48;2;232;245;233m\x1b[38;2;46;125;50m ✓ High Confidence \x1b[0m"
    assert badge_text(0.9, colour=True) == f"{painted} HIGH_CONFIDENCE"


BANNERS = [(0.6999, 69), (0.695, 69), (0.685, 69), (0.605, 61), (0.5, 50), (0.49, 49), (0.0, 0)]


@pytest.mark.parametrize(("value", "per_cent"), BANNERS)
def test_banner(value: float, per_cent: int) -> None:
    words = f"⚠️ Advisory only — Confidence: {per_cent}%. Verify information with primary sources."
    style = (
        "padding:8px 12px;background:#FFF3E0;border:1px solid #FFC107;border-radius:6px;"
        "font-size:12px;color:#856404;margin-top:8px"
    )
    assert banner_words(value) == banner_text(value) == words
    assert banner_html(value) == f'<div style="{style}">{words}</div>'
    painted = f"\x1b[48;2;255;243;224m\x1b[38;2;133;100;4m{words}\x1b[0m"
    assert banner_text(value, colour=True) == painted


@pytest.mark.parametrize("value", [0.7, 0.95, 1.0])
def test_no_banner_from_the_threshold_on(value: float) -> None:
    assert (banner_words(value), banner_html(value), banner_text(value, colour=True)) == ("",) * 3


def test_a_threshold_of_its_own() -> None:
    assert badge(0.75, 0.8).text == "⚠ Medium Confidence"
    assert "75%" in banner_words(0.75, 0.8)
