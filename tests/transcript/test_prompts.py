"""Which lines of a transcript begin a turn."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.transcript.lines import command_text, split_context, text_of
from groundwire.transcript.turn import is_human_prompt
from tests.support.tables import table

Entry = dict[str, Any]
WRAPPERS = {
    "message first": "<command-message>a</command-message>\n<command-name>/a</command-name>",
    "name first": "<command-name>/a</command-name>\n<command-message>a</command-message>",
}


def user(content: Any, **fields: Any) -> Entry:
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def said(model: str) -> Entry:
    block = {"type": "text", "text": "Yes."}
    return {"type": "assistant", "message": {"model": model, "content": [block]}}


@table
def test_a_turn_begins_at(entry: Entry) -> None:
    assert is_human_prompt(entry)


@table
def test_no_turn_begins_at(content: Any, fields: Entry) -> None:
    assert not is_human_prompt(user(content, **fields))


@pytest.mark.parametrize(
    "entry",
    [
        said("claude-opus-5"),
        {"type": "attachment", "attachment": {"type": "file"}},
        {"type": "user", "message": {"role": "user"}},
        {"type": "user"},
        {"type": "user", "message": "fix it"},
        user(["fix it", 3, None]),
    ],
)
def test_no_turn_begins_at_a_line_of_another_shape(entry: Entry) -> None:
    assert not is_human_prompt(entry)


def test_in_an_agents_own_file_sidechain_lines_count() -> None:
    assert is_human_prompt(user("find it", isSidechain=True), agent=True)


@table
def test_a_slash_command_begins_a_turn_when_the_model_got_it(
    wrapper: str, content: str, meta: bool, begins: bool
) -> None:
    following = user(content, **({"isMeta": True} if meta else {}))
    assert is_human_prompt(user(WRAPPERS[wrapper]), following) is begins


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_slash_command_before_an_answer(wrapper: str) -> None:
    """The expansion may be filtered out of a shared transcript, or not be written yet."""
    entry = user(WRAPPERS[wrapper])
    assert is_human_prompt(entry, said("claude-opus-5"))
    assert not is_human_prompt(user(WRAPPERS["name first"]), said("<synthetic>"))
    assert is_human_prompt(entry, None) is (wrapper == "message first")


@table
def test_what_was_typed_for_a_slash_command(wrapper: str, typed: str) -> None:
    assert command_text(wrapper) == typed


@table
def test_own_words_and_context(whole: str, own: str, context: list[str]) -> None:
    assert split_context(whole) == (own, tuple(context))


@table
def test_text_of_content(content: Any, shown: str) -> None:
    assert text_of(content) == shown
