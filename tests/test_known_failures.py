"""What lexical tools of this kind were seen to get wrong, one table for each sort of failure."""

import pytest

from groundwire.analysis import analyse
from groundwire.model import Match
from groundwire.render.reason import REPAIRS
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.start import FRAMING
from groundwire.settings import SHIPPED
from tests.support.tables import table

SCANNER = Scanner(shipped_rules())


def reported(text: str) -> list[Match]:
    """Return what the filter prints by default."""
    matches = analyse(text, SCANNER, SHIPPED).matches
    return [m for m in matches if m.confidence >= SHIPPED.thresholds.report]


def kinds(text: str) -> set[str]:
    return {match.kind for match in reported(text)}


@table
def test_silent(text: str) -> None:
    assert [(m.marker.id, m.evidence, m.confidence) for m in reported(text)] == []


@table
def test_found(text: str, kind: str) -> None:
    assert kind in kinds(text)


@pytest.mark.parametrize("text", [FRAMING, *REPAIRS.values()])
def test_its_own_advice_raises_nothing(text: str) -> None:
    assert [m.evidence for m in reported(text)] == []


@table
def test_certainty_shows_when_it_strengthens_a_cause(text: str) -> None:
    assert kinds(text) >= {"certainty_language", "causality_language"}


@table
def test_one_statement_does_not_count_twice(text: str) -> None:
    """Overlapping markers and the same claim add nothing for density and stacking."""
    for match in analyse(text, SCANNER, SHIPPED).matches:
        factors = {factor.name: factor.value for factor in match.factors}
        assert (factors["context_density"], factors["category_stacking"]) == (0, 0)


def test_earlier_code_does_not_change_later_text() -> None:
    claim = "I think it is probably caused by the cache."
    fence = "```\n" + "line\n" * 60 + "```\n\n"
    alone = analyse(claim, SCANNER, SHIPPED).matches
    behind = analyse("See this.\n\n" + claim, SCANNER, SHIPPED).matches
    after_code = analyse("See this.\n\n" + fence + claim, SCANNER, SHIPPED).matches
    assert [m.evidence for m in after_code] == [m.evidence for m in alone]
    assert [m.confidence for m in after_code] == [m.confidence for m in behind]


def test_disclosure_covers_its_sentence_only() -> None:
    text = "I have not verified it. The crash is caused by the cache."
    assert kinds(text) == {"causality_language"}
