"""Statements of one message that exclude each other, and pairs that only look like it."""

from groundwire.scan.contradiction import find_contradictions
from groundwire.scan.statements import stating_sentences
from groundwire.text.fold import Folded, fold
from groundwire.text.mask import mask
from groundwire.text.segment import sentence_spans
from tests.support.tables import table


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
