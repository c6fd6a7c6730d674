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
from tests.support.tables import table


@table
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


@table
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
