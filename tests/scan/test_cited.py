"""Which commands a message says were run, and which texts it presents as output."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.references import COMMAND, QUOTE, find_references
from groundwire.text.mask import mask
from tests.support.tables import table


def run(text: str) -> list[str]:
    found = find_references(text, mask(text).text)
    return [text[one.start : one.end] for one in found if one.kind == COMMAND and one.claimed]


def quoted(text: str) -> list[str]:
    return [one.path for one in find_references(text, mask(text).text) if one.kind == QUOTE]


@table
def test_command_that_was_run(text: str) -> None:
    assert run(text) == ["npm test"]


@table
def test_command_that_is_only_named(text: str) -> None:
    assert run(text) == []


@table
def test_quote(text: str, quote: str) -> None:
    assert [one.strip() for one in quoted(text)] == [quote] or len(quote) < 15


@table
def test_no_quote(text: str) -> None:
    assert quoted(text) == []


def test_a_block_is_cited_by_the_line_before_it() -> None:
    text = "The output was:\n\n```\nerror: quota exceeded\n```\n"
    (one,) = [one for one in find_references(text, mask(text).text) if one.kind == QUOTE]
    assert text[one.start : one.end] == "The output was:"
    assert "error: quota exceeded" in one.path


PIECES = st.sampled_from(
    'I ran `npm test` the log says printed "a b c d" `x y z w` `` ``` \n ( ) . : and with if'.split(
        " "
    )
)


@given(st.one_of(st.lists(PIECES, max_size=30).map(" ".join), st.text('`"\n rans:', max_size=80)))
def test_spans_are_valid(text: str) -> None:
    found = find_references(text, mask(text).text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
