"""Edits, searches, to-do lists and reports of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.evidence.turn.actions import actions_of
from groundwire.model import ToolCall


def call(name: str, result: str | None = "", error: bool = False, **arguments: Any) -> ToolCall:
    return ToolCall(f"{name}-1", name, arguments, result, error)


EDITS = [
    ("edit", call("Edit", "updated", file_path="/p/a.py"), ("/p/a.py", True)),
    ("write", call("Write", "created", file_path="/p/a.go"), ("/p/a.go", True)),
    ("notebook", call("NotebookEdit", "ok", notebook_path="/p/a.ipynb"), ("/p/a.ipynb", True)),
    ("refused", call("Edit", "not read yet", True, file_path="/p/a.rs"), ("/p/a.rs", False)),
    ("no result", call("Edit", None, file_path="/p/a.ts"), ("/p/a.ts", False)),
]


@pytest.mark.parametrize(("one", "wanted"), [r[1:] for r in EDITS], ids=[r[0] for r in EDITS])
def test_edits(one: ToolCall, wanted: tuple[str, bool]) -> None:
    edit = actions_of([one]).edits[0]
    assert (edit.path, edit.succeeded) == wanted


def bash(command: str, result: str = "", error: bool = False) -> ToolCall:
    return call("Bash", result, error, command=command)


SEARCHES = [
    ("grep tool, none", call("Grep", "No matches found", pattern="x"), 0),
    ("grep tool, empty", call("Grep", "", pattern="x"), 0),
    ("grep tool, two", call("Grep", "a.py:1:x\nb.py:2:x", pattern="x"), 2),
    ("glob", call("Glob", "No files found", pattern="**/*.go"), 0),
    ("refused", call("Grep", "bad pattern", True, pattern="("), None),
    ("shell grep", bash("grep -rn old_name src", "src/a.py:3:old_name"), 1),
    ("shell grep, none", bash("rg old_name", "Exit code 1", True), 0),
    ("shell grep, broken", bash("rg '('", "Exit code 2\nregex parse error", True), None),
    ("git grep behind cd", bash("cd app && git grep -n TODO", ""), 0),
    ("filtered", bash("grep -rn x src | grep -v test | head -5", "src/a.py:1:x"), 1),
    ("find", bash("find . -name '*.snap'", "./a.snap\n./b.snap"), 2),
]


@pytest.mark.parametrize(("one", "hits"), [r[1:] for r in SEARCHES], ids=[r[0] for r in SEARCHES])
def test_searches(one: ToolCall, hits: int | None) -> None:
    searches = actions_of([one]).searches
    assert [search.hits for search in searches] == [hits]


NO_SEARCHES = [
    bash("make test", "grep"),
    bash("grep x a.py && make", "a.py:1:x\nbuilt"),  # whose lines are they?
    call("Read", "x", file_path="a.py"),
]


@pytest.mark.parametrize("one", NO_SEARCHES)
def test_no_search(one: ToolCall) -> None:
    assert actions_of([one]).searches == ()


def todos(*states: str) -> ToolCall:
    return call("TodoWrite", todos=[{"content": f"item {s}", "status": s} for s in states])


TODOS = [
    ("the last list counts", [todos("pending"), todos("completed", "in_progress")], 1),
    ("all done", [todos("pending"), todos("completed")], 0),
    ("no list", [], 0),
    ("odd input", [call("TodoWrite", todos="x")], 0),
    ("tasks", [call("TaskCreate", subject="a"), call("TaskCreate", subject="b")], 2),
    (
        "a task is updated",
        [call("TaskCreate", subject="a"), call("TaskUpdate", taskId="1", status="completed")],
        0,
    ),
]


@pytest.mark.parametrize(("calls", "count"), [r[1:] for r in TODOS], ids=[r[0] for r in TODOS])
def test_open_todos(calls: list[ToolCall], count: int) -> None:
    assert len(actions_of(calls).open_todos) == count


def test_reports_and_opaque_calls() -> None:
    calls = [
        call("Task"),
        call("mcp__db__query"),
        call("WebFetch"),
        call("Read"),
        call("TodoWrite"),
    ]
    actions = actions_of(calls)
    assert (actions.reports, actions.opaque) == ((0,), (1, 2))
