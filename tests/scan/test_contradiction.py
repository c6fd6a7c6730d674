"""Statements of one message that exclude each other, and pairs that only look like it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.contradiction import find_contradictions
from groundwire.scan.statements import stating_sentences
from groundwire.text.fold import Folded, fold
from groundwire.text.mask import mask
from groundwire.text.segment import sentence_spans
from tests.support.tables import table

FENCE = "```text\nAll tests pass.\nTwo tests fail.\n```"


def spots(folded: Folded) -> list[tuple[int, int, int, int, str]]:
    """Return what is found in a message that is folded."""
    sentences = sentence_spans(folded)
    stating = stating_sentences(folded, sentences)
    return find_contradictions(folded, sentences, stating) if stating else []


def pairs(text: str) -> list[tuple[str, str, str]]:
    """Return the later statement, the earlier one, and the last part of the marker id."""
    folded = fold(text, mask(text))
    found = []
    for start, end, other, other_end, name in spots(folded):
        later = slice(*folded.span(start, end))
        earlier = slice(*folded.span(other, other_end))
        found.append((text[later], text[earlier], name.removeprefix("contradiction.")))
    return found


@table
def test_contradiction(text: str, later: str, earlier: str, kind: str) -> None:
    assert pairs(text) == ([(later, earlier, kind)] if kind else [])


PIECES = st.sampled_from(
    [
        *("All tests pass.", "Two tests still fail.", "12 of 14 tests pass.", "No errors remain."),
        *("The suite has 3 tests.", "The suite has 4 tests.", "3 errors remain.", "I ran it."),
        *("## Backend", "- item:", "  - All 3 tests pass", "| a | b |", "> quoted", "**bold**"),
        *("Is it so?", "`x` is fixed.", "`x` fails.", "In CI, two tests fail.", "0 tests"),
        *("not", "there is", "no"),
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=20).map(" ".join),
    st.lists(PIECES, max_size=20).map("\n".join),
    st.lists(PIECES, max_size=20).map("\n\n".join),
    st.text("all tes pfi.no12of#-:*|\n,", max_size=80),
    st.text(max_size=80),
)


@given(TEXTS)
def test_the_later_statement_is_the_evidence(text: str) -> None:
    folded = fold(text, mask(text))
    found = spots(folded)
    for start, end, other, other_end, _name in found:
        assert 0 <= other < other_end <= start < end <= len(folded.text)
        assert folded.text[start:end] == folded.text[start:end].strip()
    assert all(one[1] <= two[0] for one, two in pairwise(found))


@given(TEXTS.filter(lambda text: not any(mark in text for mark in "`~<")))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = pairs(text)
    assert pairs(f"{text}\n\n{FENCE}") == found
    assert pairs(f"{FENCE}\n\n{text}") == found
