"""Marks in a message: overlapping ones, those beyond its end, and text that looks like HTML."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_admin.pages.marked_text import Mark, marked_html
from groundwire_admin.pages.text import shown

_ADDED = re.compile(r'<sup>.*?</sup>|</?mark( class="[a-z]*")?>|<span id="mark-1"></span>')


def at(number: int) -> str:
    return f'<span id="mark-{number}"></span>'


def to(*numbers: int) -> str:
    links = ", ".join(f'<a href="#match-{one}">{one}</a>' for one in numbers)
    return f"<sup>{links}</sup>"


CASES = [
    ("a guess", [], "a guess"),
    ("a guess", [Mark(2, 5, 1, "bad")], f'a {at(1)}<mark class="bad">guess</mark>{to(1)}'),
    ("<b>x</b>", [Mark(3, 1, 1, "")], f'&lt;b&gt;{at(1)}<mark class="">x</mark>{to(1)}&lt;/b&gt;'),
    ("short", [Mark(3, 9, 1, "bad"), Mark(-1, 2, 2, "bad")], "short"),
    (
        "one two",
        [Mark(0, 7, 1, "warn"), Mark(4, 3, 2, "bad")],
        f'{at(1)}<mark class="warn">one </mark>{at(2)}<mark class="bad">two</mark>{to(1, 2)}',
    ),
]


@pytest.mark.parametrize(("text", "marks", "html"), CASES)
def test_marks(text: str, marks: list[Mark], html: str) -> None:
    assert marked_html(text, marks) == html


def test_values_are_shown_as_a_user_types_them() -> None:
    values = [None, True, False, 0.5, 3, "a", [], ["a", 1], {}, {"a": 1, "b": {"c": None}}]
    assert [shown(one) for one in values] == [
        *("(not set)", "on", "off", "0.5", "3", "a", "(none)", "a, 1", "(none)"),
        "a 1, b c (not set)",
    ]


@given(
    st.text(),
    st.lists(
        st.builds(
            Mark,
            st.integers(0, 40),
            st.integers(1, 40),
            st.just(1),
            st.sampled_from(["bad", "warn", "info", ""]),
        )
    ),
)
def test_the_text_is_kept_whole(text: str, marks: list[Mark]) -> None:
    assert unescape(_ADDED.sub("", marked_html(text, marks))) == text
