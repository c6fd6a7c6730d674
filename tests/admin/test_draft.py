"""What a draft keeps of a document that is edited, also when somebody else saves meanwhile."""

import re
from html import unescape
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire_admin.pages.draft import Draft
from groundwire_admin.pages.marked_text import Mark, marked_html
from groundwire_admin.pages.text import shown
from tests.support.tables import table

STORED = {"method": "formula", "judge": {"model": "a", "tokens": 100}}


def draft(**typed: Any) -> Draft:
    one = Draft(STORED, 1)
    for path, value in typed.items():
        one.set(path.replace("__", "."), value)
    return one


@table
def test_only_what_differs_is_a_change(typed: dict[str, Any], changes: dict[str, Any]) -> None:
    assert draft(**typed).changes() == changes


def test_what_was_typed_goes_on_top_of_what_somebody_else_saved() -> None:
    one = draft(judge__tokens=90)
    one.rebase({"method": "hybrid", "judge": {"model": "b", "tokens": 100}}, 2)
    assert one.typed == {"method": "hybrid", "judge": {"model": "b", "tokens": 90}}
    assert (one.version, one.changes()) == (2, {"judge": {"tokens": 90}})
    one.set("judge.model", "c")
    assert one.changes() == {"judge": {"tokens": 90, "model": "c"}}


_ADDED = re.compile(r'<sup>.*?</sup>|</?mark( class="[a-z]*")?>|<span id="mark-1"></span>')


@table
def test_marks(words: str, marks: list[list[Any]], html: str) -> None:
    assert marked_html(words, [Mark(*one) for one in marks]) == html


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
