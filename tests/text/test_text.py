"""Masking, folding and segmentation: tables, and the invariants that every offset rests on."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.language.fold import LONGEST, Folded, fold, fold_phrase, sentence_spans
from groundwire.language.markdown import CELL, FILLER, mask
from tests.support.tables import rows

MARKUP = st.text(
    alphabet=st.sampled_from(
        "ab I\u0130\u00df\U0001f600*_`~|>#-1.,!?'\u2019\u201c\n\t\u00a0\u200b[]()<&"
    )
)


def folded(text: str) -> Folded:
    return fold(text, mask(text))


def number_as_a_whole(number: str) -> str:
    found = folded(f"a factor of {number}. Next")
    offset, end = found.span(0, len("a factor of #"))
    return found.original[offset:end].removeprefix("a factor of ")


def sentences(text: str) -> list[str]:
    found = folded(text)
    return [found.text[a:b] for a, b in sentence_spans(found)]


test_row = rows(
    __file__,
    mask=lambda text: mask(text).text.replace(FILLER, "#").replace(CELL, "!"),
    fold=fold_phrase,
    blocks_are_hard_breaks=lambda text: folded(text).text.split("\n")[:-1],
    sentences=sentences,
    number_as_a_whole=number_as_a_whole,
)


@given(MARKUP)
def test_positions_hold_in_any_text(text: str) -> None:
    """Masks keep them, a fold leads back to them, sentences ascend and stay in their blocks."""
    masked = mask(text)
    assert len(masked.text) == len(text)
    lines = [[i for i, c in enumerate(one) if c == "\n"] for one in (text, masked.text)]
    assert lines[0] == lines[1]
    found = fold(text, masked)
    for position, character in enumerate(found.text):
        if character == "\n":
            continue
        offset, end = found.span(position, position + 1)
        assert 0 <= offset < end <= len(text)
        assert found.position(offset) == position
        if character.isalpha():
            assert text[offset].lower().startswith(character)
    last = 0
    for start, end in sentence_spans(found):
        assert last <= start < end
        assert "\n" not in found.text[start:end]
        last = end


def test_a_text_without_full_stops_is_read_in_pieces() -> None:
    text = "one word after the other " * 200
    spans = sentence_spans(folded(text))
    assert max(end - start for start, end in spans) <= LONGEST
    assert " ".join(folded(text).text[start:end] for start, end in spans) == text.strip()


LONG = 200_000


@pytest.mark.parametrize("sign", ["*", "_", " ", "* ", "\u00a0", "1", "1,", "`", "(", "<", "~"])
def test_a_long_run_is_folded(sign: str) -> None:
    text = f"before {sign * LONG} I think"
    begun = time.thread_time()
    folded = fold(text, mask(text))
    assert time.thread_time() - begun < 5  # the square of the length takes minutes
    assert folded.text.strip("\n").endswith("i think") or sign == "`"
    assert "  " not in folded.text
