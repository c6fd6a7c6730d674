"""Matches for the tests of the reports, built from a text and the words in it."""

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.base.model import Marker, Match

Matches = Callable[..., Match]


@pytest.fixture
def a_match() -> Matches:
    """Return a function of a text and words in it; other names are those of Match or Marker."""

    def build(text: str, evidence: str, confidence: int = 75, **more: Any) -> Match:
        kind = more.pop("kind", "speculation_language")
        marker = more.pop("marker", "speculation.i_think")
        named = {key: more.pop(key) for key in ("claim", "note") if key in more}
        offset = text.index(evidence, more.pop("start", 0))
        of = Marker(marker, kind, more.pop("strength", "weak"), **named)
        fields = {"sentence": (0, len(text)), **more}
        return Match(kind, evidence, offset, confidence, of, **fields)

    return build
