"""Tests that the edits of a turn deleted, skipped or made weaker."""

from __future__ import annotations

from groundwire.evidence.runs.edits import (
    CREATED,
    EDIT_TOOLS,
    mentions,
    path_of,
    shell_commands,
    succeeded,
)
from groundwire.evidence.runs.file_changes import CHANGING, REMOVERS, file_words
from groundwire.evidence.runs.names import is_test_file
from groundwire.evidence.runs.places import join
from groundwire.evidence.runs.results import without_line_numbers
from groundwire.evidence.runs.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.model import ToolCall

#: What skips a test, or all others, in the test frameworks of many languages.
_SKIPS = (
    "@skip",
    "@unittest.skip",
    "@unittest.expectedFailure",
    "pytest.skip(",
    "mark.skip",
    "mark.xfail",
    ".xfail(",
    "skipTest(",
    "it.skip(",
    "test.skip(",
    "describe.skip(",
    "context.skip(",
    "suite.skip(",
    "it.only(",
    "test.only(",
    "describe.only(",
    "it.todo(",
    "test.todo(",
    "test.fixme(",
    "test.fails(",
    " xit(",
    " xit ",
    " xdescribe(",
    " xtest(",
    "#[ignore",
    "t.Skip(",
    "t.SkipNow(",
    "t.Skipf(",
    "@Disabled",
    "@Ignore",
    "[Ignore",
    "Skip = ",
    "markTestSkipped(",
    "markTestIncomplete(",
    "@tag :skip",
    "XCTSkip",
    "GTEST_SKIP(",
    "DISABLED_",
)
_ASSERTIONS = (
    "assert",
    "Assert.",
    "expect(",
    "expect {",
    "EXPECT_",
    "require.",
    "t.Error",
    "t.Fatal",
    ".should",
    "should_",
    "XCTAssert",
    "verify(",
    "self.fail(",
)
#: Beginnings of a test; a blank stands for the beginning of a line, too.
_TESTS = (
    "def test_",
    "func Test",
    "#[test]",
    "#[tokio::test]",
    "@Test",
    "[Fact]",
    "[Theory]",
    "[Test]",
    "[TestMethod]",
    " it(",
    " test(",
    " it '",
    ' it "',
    ' test "',
    "TEST(",
    "TEST_F(",
    "@test ",
    "function test",
    "func test",
)
_WITHIN_SOURCE = ("#[test]", "#[ignore", "#[cfg(test)]")


def weakened_tests(calls: Sequence[ToolCall]) -> tuple[tuple[str, str], ...]:
    """Return ``(path, what)`` for files whose tests the edits of ``calls`` took away.

    ``what`` is "deleted", "skipped", "tests removed" or "assertions removed". All edits are added
    up, so that what only moves, inside a file or to another one, does not count.
    """
    totals: dict[str, list[int]] = {}
    for path, old, new in _replacements(calls):
        if is_test_file(path) or any(mark in old or mark in new for mark in _WITHIN_SOURCE):
            counts = totals.setdefault(path, [0, 0, 0])
            for position, marks in enumerate((_SKIPS, _TESTS, _ASSERTIONS)):
                counts[position] += _count(new, marks) - _count(old, marks)
    deleted = dict.fromkeys(path for path in _deleted(calls) if is_test_file(path))
    all_tests, all_assertions = (sum(one[at] for one in totals.values()) for at in (1, 2))
    found = [(path, "deleted") for path in deleted]
    for path, (skips, tests, assertions) in totals.items():
        if skips > 0:
            found.append((path, "skipped"))
        skipped = max(0, skips)  # "it.skip(" is no "it(" any more
        if tests + skipped < 0 and all_tests + skipped < 0:
            found.append((path, "tests removed"))
        elif assertions < 0 and all_assertions < 0:
            found.append((path, "assertions removed"))
    return tuple(found)


def _count(text: str, marks: Sequence[str]) -> int:
    text = " " + text.replace("\n", " ").replace("\t", " ")
    return sum(text.count(mark) for mark in marks)


def _replacements(calls: Sequence[ToolCall]) -> Iterator[tuple[str, str, str]]:
    """Yield path, old and new text of every edit.

    The old text of a file that is written as a whole is known when it was read or written before.
    """
    texts: dict[str, tuple[str, bool]] = {}  # and whether the lines are still numbered
    for call in calls:
        path = path_of(call)
        if call.name == "Read" and succeeded(call) and "offset" not in call.input:
            texts[path] = call.result or "", True
        if call.name not in EDIT_TOOLS or not succeeded(call):
            continue
        edits = call.input.get("edits")
        for edit in edits if isinstance(edits, list) else [call.input]:
            if isinstance(edit, dict) and call.name == "Write":
                content = _text(edit, "content")
                old, numbered = texts.get(path, ("", False))
                yield path, without_line_numbers(old) if numbered else old, content
                texts[path] = content, False
            elif isinstance(edit, dict):
                yield path, _text(edit, "old_string"), _text(edit, "new_string", "new_source")


def _text(edit: dict[str, object], *names: str) -> str:
    return next((text for name in names if isinstance(text := edit.get(name), str)), "")


def _deleted(calls: Sequence[ToolCall]) -> Iterator[str]:
    """Yield the files that were taken away, without those that the turn wrote itself."""
    made = Tree()
    for call in calls:
        if call.name == "Write" and (call.result or "").startswith(CREATED):
            made.write(0, join("", path_of(call)), counts=False)
        for command in shell_commands(call) if mentions(call, CHANGING) else ():
            words = file_words(command)
            if command.stdout_file:
                made.write(0, join("", command.stdout_file), counts=False)
            if command.argv[0] in REMOVERS or command.argv[:2] == ("git", "rm"):
                paths = words[command.argv[0] == "git" :]
                yield from (path for path in paths if not made.holds(join("", path)))
