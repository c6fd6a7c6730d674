"""Quoted text in lines of plain text: harmless, wrapped, underlined at the right place."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.render.excerpt import columns, excerpt, wrap
from groundwire.render.prose import one_line, quote
from tests.support.tables import table


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("  two\n\t words \u00a0 ", "two words"),
        ("red \x1b[31mtext", "red \\x1b[31mtext"),  # terminal escape
        ("a\u202eb", "a\\u202eb"),  # turns the reading direction around
        ("half \ud83d pair", "half \\ud83d pair"),  # cannot be printed as UTF-8
        ("\U000e0041", "\\U000e0041"),  # an invisible tag character
        (
            "\U0001f469\u200d\U0001f4bb",
            "\U0001f469\u200d\U0001f4bb",
        ),  # joined emoji stay whole
        ("caf\u00e9 \u4e16\u754c", "caf\u00e9 \u4e16\u754c"),
        ("", ""),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line


@table
def test_one_line_is_cut_to_its_limit(text: str, limit: int, line: str) -> None:
    assert one_line(text, limit) == line


@given(st.text(st.one_of(st.characters(), st.sampled_from("\x1b\r\u2028\u2066\ud83d"))))
def test_a_quote_is_one_printable_line_that_can_be_encoded(text: str) -> None:
    quoted = quote(text)
    assert len(quoted.splitlines()) == 1
    assert quoted.encode()
    assert quoted.replace("\u200c", "").replace("\u200d", "").isprintable()


@table
def test_columns(text: str, width: int) -> None:
    assert columns(text) == width


@table
def test_wrap(line: str, width: int, rows: list[str]) -> None:
    assert [line[start:end] for start, end in wrap(line, width)] == rows


@given(st.text(max_size=200).map(one_line), st.integers(2, 30))
def test_wrapping_loses_only_spaces_and_keeps_the_width(line: str, width: int) -> None:
    rows = [line[start:end] for start, end in wrap(line, width)]
    assert "".join(rows).replace(" ", "") == line.replace(" ", "")
    assert all(columns(row) <= width for row in rows)


def shown(text: str, marked: str, around: tuple[int, int] | None = None, width: int = 40) -> str:
    start = text.index(marked)
    rows = excerpt(text, around or (0, len(text)), (start, start + len(marked)), width)
    return "\n".join(rows)


def test_excerpt_underlines_the_marked_words() -> None:
    """Over line breaks of the text and its own, behind wide characters, one sentence of it."""
    assert shown("So I\n  think it.", "I\n  think") == "So I think it.\n   ~~~~~~~"
    rows = shown("one two three four", "two three", width=8)
    assert rows == "one two\n    ~~~\nthree\n~~~~~\nfour"
    assert shown("\u4e16\u754c works", "works") == "\u4e16\u754c works\n     ~~~~~"
    assert shown("One. I think two. Three.", "I think", (5, 17)) == "I think two.\n~~~~~~~"
    missed = shown("One. I think two.", "I think", (0, 4))
    assert missed == "One. I think\n     ~~~~~~~"
    assert quote('say "all" of it') == '"say \\"all\\" of it"'


def test_excerpt_that_is_too_long_keeps_the_marked_words_and_says_what_is_missing() -> None:
    text = "before " * 300 + "guess " + "after " * 300
    rows = shown(text.strip(), "guess").split("\n")
    assert rows[0].startswith("... before ")
    assert rows[-1].endswith(" ...")
    assert sum("guess" in row for row in rows) == 1
    assert len([row for row in rows if row.strip(" ~")]) <= 5


WORDS = st.text(st.sampled_from("ab \n.\u4e16\u0301\x1b"), min_size=1, max_size=60)


@given(WORDS, st.data())
def test_what_is_underlined_is_what_was_marked(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    marked = one_line(text[start:end], 40)
    rows = excerpt(text, (0, len(text)), (start, end), 20)
    underlined = ""
    for row, marks in pairwise(rows):
        if marks and set(marks) <= {" ", "~"} and "~" in marks:
            underlined += cut_columns(row, marks.index("~"), len(marks))
    # A combining mark takes no column, so nothing says whose it is.
    bare = {ord(" "): None, 0x301: None}
    assert underlined.translate(bare) == marked.translate(bare)


def cut_columns(row: str, start: int, end: int) -> str:
    return "".join(
        row[at]
        for at in range(len(row))
        if start <= columns(row[:at]) and columns(row[: at + 1]) <= end
    )
