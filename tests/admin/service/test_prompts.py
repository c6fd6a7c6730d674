"""Versions of the judge's prompt."""

from __future__ import annotations

import threading

import pytest

from groundwire.errors import ConfigError, ConflictError, NotFoundError
from groundwire.judge.prompt import CONTENT, NAME
from groundwire_admin.service.prompts import Prompts
from groundwire_admin.store import prompts as rows
from groundwire_admin.store.database import Store


@pytest.fixture
def prompts(store: Store) -> Prompts:
    return Prompts(store)


def test_the_first_version(prompts: Prompts) -> None:
    [first] = prompts.versions()
    assert prompts.active() == first
    assert (first.name, first.prompt_type, first.version) == (NAME, "confidence", 1)
    assert (first.active, first.usage_count, first.missing_variables) == (True, 0, [])
    assert first.content == CONTENT
    assert prompts.current().version == 1


def test_a_new_version_waits_until_it_is_activated(prompts: Prompts) -> None:
    made = prompts.create("Rate {response}", who="ann", notes="shorter", tags=["short", "x"])
    assert (made.version, made.active, made.notes, made.tags) == (
        *(2, False),
        *("shorter", ["short", "x"]),
    )
    assert made.missing_variables == ["query", "context"]
    assert prompts.active().version == 1
    assert prompts.activate(made.id, who="bob").active
    assert prompts.active().version == 2
    assert [one.active for one in prompts.versions()] == [True, False]
    assert [(row.who, row.action) for row in prompts.history()] == [
        ("bob", "activate"),
        ("ann", "create"),
    ]


def test_a_version_is_activated_at_once(prompts: Prompts) -> None:
    assert prompts.create("Rate it", who="ann", activate=True).active
    assert [one.version for one in prompts.versions() if one.active] == [2]


def test_versions_made_at_once_have_different_numbers(prompts: Prompts) -> None:
    outcomes: list[str] = []

    def make(number: int) -> None:
        try:
            prompts.create(f"text {number}", who="ann", activate=True)
            outcomes.append("made")
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=make, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    versions = prompts.versions()
    made = outcomes.count("made")
    assert (len(outcomes), made >= 1) == (5, True)
    assert [one.version for one in versions] == list(range(made + 1, 0, -1))
    assert sum(one.active for one in versions) == 1


def test_uses_are_counted(prompts: Prompts, store: Store) -> None:
    for _ in range(3):
        with store.write() as session:
            rows.count_use(session, NAME, 1)
    assert prompts.active().usage_count == 3


@pytest.mark.parametrize(
    ("content", "notes", "tags", "said"),
    [
        ("", "", [], "content: 0 characters"),
        (" \n", "", [], "content: 2 characters"),
        ("x" * 20_001, "", [], "content: 20001 characters"),
        ("x", "n" * 2_001, [], "notes: 2001 characters"),
        ("x", "", ["t"] * 21, "tags: 21 of them"),
        ("x", "", [""], 'tags: value "": allowed: 1 to 40 characters'),
        ("x\0", "", [], "a NUL character"),
    ],
)
def test_what_is_not_allowed(
    prompts: Prompts, content: str, notes: str, tags: list[str], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        prompts.create(content, who="ann", notes=notes, tags=tags)
    assert len(prompts.versions()) == 1


def test_what_is_not_there(prompts: Prompts, store: Store) -> None:
    with pytest.raises(NotFoundError, match="prompt: 99"):
        prompts.activate(99, who="ann")
    other = Prompts(store, "another")
    assert other.versions() == []
    with pytest.raises(NotFoundError, match="another: no version is active"):
        other.active()
    with pytest.raises(NotFoundError, match="no version of another"):
        other.activate(prompts.active().id, who="ann")


def test_a_preview_is_what_the_judge_is_sent(prompts: Prompts) -> None:
    shown = prompts.preview(
        "Q {query} C {context} R {response} {other} {}",
        query="{response}",
        context="c" * 1_200,
        response="fine {query}",
    )
    assert shown.text == f"Q {{response}} C {'c' * 1_000} R fine {{query}} {{other}} {{}}"
    assert (shown.missing_variables, shown.truncated, shown.warning) == ([], ["context"], "")


def test_a_preview_warns_of_what_is_missing(prompts: Prompts) -> None:
    shown = prompts.preview("Rate {response}", query="why?", context="the log", response="so")
    assert shown.missing_variables == ["query", "context"]
    assert "{query}, {context}" in shown.warning
    assert "why?" in shown.text
    assert "the log" in shown.text
    with pytest.raises(ConfigError, match="content: 0 characters"):
        prompts.preview("", query="", context="", response="")
