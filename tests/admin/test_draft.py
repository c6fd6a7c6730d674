"""What a draft keeps of a document that is edited, also when somebody else saves meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire_admin.pages.draft import Difference, Draft, differences

STORED = {"method": "formula", "judge": {"model": "a", "tokens": 100}}


def draft(**typed: Any) -> Draft:
    one = Draft(STORED, 1)
    for path, value in typed.items():
        one.set(path.replace("__", "."), value)
    return one


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ({}, {}),
        ({"method": "formula"}, {}),
        ({"method": "llm"}, {"method": "llm"}),
        ({"judge__tokens": 90}, {"judge": {"tokens": 90}}),
        ({"method": "llm", "judge__model": "b"}, {"method": "llm", "judge": {"model": "b"}}),
        ({"judge__tokens": 90, "judge__model": "a"}, {"judge": {"tokens": 90}}),
    ],
)
def test_only_what_differs_is_a_change(typed: dict[str, Any], changes: dict[str, Any]) -> None:
    assert draft(**typed).changes() == changes


def test_what_was_typed_goes_on_top_of_what_somebody_else_saved() -> None:
    one = draft(judge__tokens=90)
    one.rebase({"method": "hybrid", "judge": {"model": "b", "tokens": 100}}, 2)
    assert one.typed == {"method": "hybrid", "judge": {"model": "b", "tokens": 90}}
    assert (one.version, one.changes()) == (2, {"judge": {"tokens": 90}})


def test_taking_a_document_gives_up_what_was_typed_and_its_problems() -> None:
    one = draft(method="llm")
    one.complain("judge.tokens", "too many")
    assert one.problems == ["too many"]
    one.take(STORED, 3)
    assert (one.typed, one.version, one.problems) == (STORED, 3, [])


def test_the_stored_document_is_never_written_to() -> None:
    document = {"judge": {"tokens": 1}}
    one = Draft(document, 1)
    one.set("judge.tokens", 2)
    assert document == {"judge": {"tokens": 1}}
    assert (one.get_stored("judge.tokens"), one.get("judge.tokens")) == (1, 2)


def test_who_listens_is_told_until_silenced() -> None:
    one, told = draft(), []
    one.listen(lambda: told.append(one.get("method")))
    one.set("method", "llm")
    one.silence()
    one.set("method", "hybrid")
    assert told == ["llm"]


def test_differences_name_every_key_of_what_is_new_or_gone() -> None:
    found = differences({"a": 1, "gone": {"x": 1}}, {"a": 2, "new": {"y": {"z": 3}}})
    assert found == [
        Difference("a", 1, 2),
        Difference("gone.x", 1, None),
        Difference("new.y.z", None, 3),
    ]
