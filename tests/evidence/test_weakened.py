"""Tests that a turn deleted, skipped or made check less."""

from __future__ import annotations

import pytest

from groundwire.evidence.weakened import weakened_by
from groundwire.model import ToolCall


def edit(path: str, old: str, new: str, call_id: str = "t-1") -> ToolCall:
    arguments = {"file_path": path, "old_string": old, "new_string": new}
    return ToolCall(call_id, "Edit", arguments, "ok")


def bash(command: str) -> ToolCall:
    return ToolCall("t-2", "Bash", {"command": command}, "")


def write(path: str, text: str, result: str = "The file has been updated.") -> ToolCall:
    return ToolCall("t-3", "Write", {"file_path": path, "content": text}, result)


PY = "def test_total():\n    assert total() == 3\n"
READ = ToolCall(
    "t-4", "Read", {"file_path": "test_a.py"}, "1\u2192def test_a():\n2\u2192  assert a\n"
)
ROWS: list[tuple[str, list[ToolCall], list[tuple[str, str, str]]]] = [
    ("jest", [edit("a.test.ts", " it('adds'", " it.skip('adds'")],
     [("a.test.ts", "skipped", "t-1")]),
    ("pytest", [edit("test_a.py", PY, f"@pytest.mark.skip\n{PY}")],
     [("test_a.py", "skipped", "t-1")]),
    ("go", [edit("a_test.go", "x", 't.Skip("later")')], [("a_test.go", "skipped", "t-1")]),
    ("rust, in the source", [edit("src/a.rs", "#[test]\n", "#[test]\n#[ignore]\n")],
     [("src/a.rs", "skipped", "t-1")]),
    ("a test goes", [edit("test_a.py", PY, "")], [("test_a.py", "tests removed", "t-1")]),
    ("a check goes", [edit("CartTest.java", "assertEquals(1, x);", "")],
     [("CartTest.java", "checks removed", "t-1")]),
    ("a file goes", [bash("git rm tests/test_a.py")], [("tests/test_a.py", "deleted", "t-2")]),
    ("rewritten", [READ, write("test_a.py", "x = 1")], [("test_a.py", "tests removed", "t-3")]),
    ("several", [ToolCall("t-5", "MultiEdit", {"file_path": "a_spec.rb", "edits": [
        {"old_string": "expect(x)", "new_string": ""}, 7]}, "ok")],
     [("a_spec.rb", "checks removed", "t-5")]),
    ("the last one that took", [edit("test_a.py", PY, "", "t-7"), edit("test_a.py", "", "y")],
     [("test_a.py", "tests removed", "t-7")]),
    # nothing is lost
    ("moved to another file", [edit("test_a.py", PY, ""), edit("test_b.py", "", PY)], []),
    ("no longer skipped", [edit("a.test.ts", " it.skip('a'", " it('a'")], []),
    ("added", [edit("test_a.py", "", PY)], []),
    ("no file of tests", [edit("src/a.py", "assert x", "")], []),
    ("refused", [ToolCall("t", "Edit", {"file_path": "test_a.py", "old_string": PY}, "", True)],
     []),
    ("a scratch test", [bash("cat > test_p.py <<'E'\nx\nE\npytest test_p.py; rm ./test_p.py")], []),
    ("written and taken away", [write("test_p.py", PY, "File created at: x"), bash("rm test_p.py")],
     []),
    ("renamed", [bash("git mv test_a.py test_b.py")], []),
]  # fmt: skip


@pytest.mark.parametrize(("calls", "found"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS])
def test_weakened(calls: list[ToolCall], found: list[tuple[str, str, str]]) -> None:
    assert list(weakened_by(calls)) == found
