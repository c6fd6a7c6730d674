"""Marks in a message: overlapping ones, those beyond its end, and text that looks like HTML."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_admin.pages.marked_text import Mark, marked_html

CASES = [
    ("a guess", [], "a guess"),
    ("a guess", [Mark(2, 5, 1, "bad")], 'a <mark class="bad">guess</mark><sup>1</sup>'),
    ("<b>x</b>", [Mark(3, 1, 1, "")], '&lt;b&gt;<mark class="">x</mark><sup>1</sup>&lt;/b&gt;'),
    ("short", [Mark(3, 9, 1, "bad"), Mark(-1, 2, 2, "bad")], "short"),
    (
        "one two",
        [Mark(0, 7, 1, "warn"), Mark(4, 3, 2, "bad")],
        '<mark class="warn">one </mark><mark class="bad">two</mark><sup>1, 2</sup>',
    ),
]


@pytest.mark.parametrize(("text", "marks", "html"), CASES)
def test_marks(text: str, marks: list[Mark], html: str) -> None:
    assert marked_html(text, marks) == html


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
    html = re.sub(
        r'<sup>[0-9, ]+</sup>|<mark class="[a-z]*">|</mark>', "", marked_html(text, marks)
    )
    assert unescape(html) == text
