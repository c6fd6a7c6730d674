"""What a draft keeps of a document that is edited, also when somebody else saves meanwhile."""

import re
from html import unescape
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire_server.admin.pages.decisions import Mark, marked_html
from groundwire_server.admin.pages.elements import shown
from groundwire_server.admin.pages.form import Draft
from tests.support.tables import rows

STORED = {"method": "formula", "judge": {"model": "a", "tokens": 100}}


def changes(typed: dict[str, Any]) -> dict[str, Any]:
    draft = Draft(STORED, 1)
    for path, value in typed.items():
        draft.set(path, value)
    return draft.changes()


def test_what_was_typed_goes_on_top_of_what_somebody_else_saved() -> None:
    one = Draft(STORED, 1)
    one.set("judge.tokens", 90)
    one.rebase({"method": "hybrid", "judge": {"model": "b", "tokens": 100}}, 2)
    assert one.typed == {"method": "hybrid", "judge": {"model": "b", "tokens": 90}}
    assert (one.version, one.changes()) == (2, {"judge": {"tokens": 90}})
    one.set("judge.model", "c")
    assert one.changes() == {"judge": {"tokens": 90, "model": "c"}}


def html(text: str, marks: list[list[Any]]) -> str:
    return marked_html(text, [Mark(*one) for one in marks])


test_rows = rows(__file__, marks=html, changes=changes, shown=shown)
MARKS = st.tuples(
    *(st.integers(0, 40), st.integers(1, 40), st.just(1)),
    st.sampled_from(["bad", "warn", "info", ""]),
)
_ADDED = re.compile(r'<sup>.*?</sup>|</?mark( class="[a-z]*")?>|<span id="mark-1"></span>')


@given(st.text(), st.lists(MARKS.map(list)))
def test_the_text_is_kept_whole(text: str, marks: list[list[Any]]) -> None:
    assert unescape(_ADDED.sub("", html(text, marks))) == text
