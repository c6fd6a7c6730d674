"""Response certainty: which markers count, where they stand, and what the score is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.composite.certainty import (
    CERTAINTY_MARKERS,
    UNCERTAINTY_MARKERS,
    certainty_of,
)
from groundwire.errors import ConfidenceError
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from tests.confidence.table_000 import CERTAINTY
from tests.support.tables import table

SCANNER = Scanner(shipped_rules())


@pytest.mark.parametrize(("name", "text", "uncertain", "certain", "score"), CERTAINTY)
def test_certainty(name: str, text: str, uncertain: int, certain: int, score: float) -> None:
    found = certainty_of(text, SCANNER)
    signs = [hit.certain for hit in found.hits]
    assert (signs.count(False), signs.count(True), found.score) == (uncertain, certain, score)
    assert certainty_of(text, Scanner(shipped_rules(), once=True)) == found
    with pytest.raises(ConfidenceError, match=r"response text: value .*: allowed: a text"):
        certainty_of(text.encode(), SCANNER)  # type: ignore[arg-type]


def test_hits_are_listed_with_their_place() -> None:
    text = "\U0001f600 **Definitely** fixed, I\u2019m not sure why"
    hits = certainty_of(text, SCANNER).hits
    assert [(hit.evidence, hit.certain) for hit in hits] == [
        ("Definitely", True),
        ("I\u2019m not sure", False),
    ]
    assert all(text[hit.offset :].startswith(hit.evidence) for hit in hits)


def test_the_reason_lists_the_markers() -> None:
    found = certainty_of("I think it is tested, maybe", SCANNER)
    assert found.why() == 'lowered by "I think", "maybe", raised by "tested"'
    assert certainty_of("Done.", SCANNER).why() == "no markers"
    assert certainty_of("maybe " * 9, SCANNER).why().endswith('"maybe" and 4 more')


@table
def test_negators(text: str, hits: int) -> None:
    assert len(certainty_of(text, SCANNER, ("not", "never")).hits) == hits


words = st.sampled_from([*UNCERTAINTY_MARKERS, *CERTAINTY_MARKERS, "un", "the", ".", "\n\n", "`x`"])


@given(st.lists(words, max_size=30).map(" ".join))
def test_the_score_follows_from_the_hits_and_these_are_in_the_text(text: str) -> None:
    found = certainty_of(text, SCANNER)
    assert 0 <= found.score <= 1
    spots = [hit.offset for hit in found.hits]
    assert spots == sorted(set(spots))
    assert all(text[hit.offset :].startswith(hit.evidence) for hit in found.hits)
