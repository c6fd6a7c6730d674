"""What lexical tools of this kind were seen to get wrong, one table for each sort of failure."""

import pytest

from groundwire.base.settings import SHIPPED
from groundwire.hook.start import FRAMING
from groundwire.report.reason import REPAIRS
from groundwire.verdict.analysis import analyse
from tests.everyday.rows import SCANNER, reported
from tests.support.tables import rows


def kinds(text: str) -> set[str]:
    return {match.kind for match in reported(text)}


def company(text: str) -> set[float]:
    """Return what overlapping markers and the same claim add for density and stacking."""
    factors = [one for m in analyse(text, SCANNER, SHIPPED).matches for one in m.factors]
    return {one.value for one in factors if one.name in ("context_density", "category_stacking")}


test_row = rows(
    __file__,
    silent=lambda text: [(m.marker.id, m.evidence, m.confidence) for m in reported(text)] == [],
    found=lambda text, kind: kind in kinds(text),
    certainty_shows_when_it_strengthens_a_cause=lambda text: (
        kinds(text) >= {"certainty_language", "causality_language"}
    ),
    disclosure_covers_its_sentence_only=lambda text: kinds(text) == {"causality_language"},
    one_statement_does_not_count_twice=lambda text: company(text) == {0.0},
)


@pytest.mark.parametrize("text", [FRAMING, *REPAIRS.values()])
def test_its_own_advice_raises_nothing(text: str) -> None:
    assert [m.evidence for m in reported(text)] == []


def test_earlier_code_does_not_change_later_text() -> None:
    claim, code = "I think it is probably caused by the cache.", "line\n" * 60
    found = [
        [(m.evidence, m.confidence) for m in analyse(text, SCANNER, SHIPPED).matches]
        for text in (f"See this.\n\n{claim}", f"See this.\n\n```\n{code}```\n\n{claim}")
    ]
    assert found[0] == found[1] != []
