"""What a draft keeps of a document that is edited, also when somebody else saves meanwhile."""

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_admin.pages.draft import Difference, Draft, differences
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


def test_differences_name_every_key_of_what_is_new_or_gone() -> None:
    found = differences({"a": 1, "gone": {"x": 1}}, {"a": 2, "new": {"y": {"z": 3}}})
    assert found == [
        Difference("a", 1, 2),
        Difference("gone.x", 1, None),
        Difference("new.y.z", None, 3),
    ]


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
