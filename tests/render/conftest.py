"""Matches for the tests of the reports, built from a text and the words in it."""

import pytest

from groundwire.model import Factor, Marker, Match, Verdict


class Matches:
    """Builds matches whose offsets come from where their evidence stands."""

    def __call__(
        self,
        text: str,
        evidence: str,
        confidence: int = 75,
        *,
        kind: str = "speculation_language",
        marker: str = "speculation.i_think",
        strength: str = "weak",
        claim: str = "",
        note: str = "",
        sentence: tuple[int, int] | None = None,
        verdict: Verdict | None = None,
        factors: tuple[Factor, ...] = (),
        context: str = "",
        start: int = 0,
    ) -> Match:
        return Match(
            kind=kind,
            evidence=evidence,
            offset=text.index(evidence, start),
            confidence=confidence,
            marker=Marker(id=marker, kind=kind, strength=strength, claim=claim, note=note),
            sentence=sentence or (0, len(text)),
            factors=factors,
            verdict=verdict,
            context=context,
        )


@pytest.fixture
def a_match() -> Matches:
    return Matches()
