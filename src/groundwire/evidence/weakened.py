"""Tests that the edits of a turn deleted, skipped, or made check less."""

from __future__ import annotations

from groundwire.evidence.edits import edits_of
from groundwire.evidence.records import EDIT_TOOLS, argument
from groundwire.evidence.results import without_line_numbers
from groundwire.shell.places import is_test_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.model import ToolCall

#: How test frameworks skip a test, begin one, and check; a blank may be the beginning of a line.
_SKIPS = (
    "@skip|@unittest.skip|@unittest.expectedFailure|pytest.skip(|mark.skip|mark.xfail|.xfail(|"
    "skipTest(|it.skip(|test.skip(|describe.skip(|context.skip(|suite.skip(|it.only(|test.only(|"
    "describe.only(|it.todo(|test.todo(|test.fixme(|test.fails(| xit(| xit | xdescribe(| xtest(|"
    "#[ignore|t.Skip(|t.SkipNow(|t.Skipf(|@Disabled|@Ignore|[Ignore|Skip = |markTestSkipped(|"
    "markTestIncomplete(|@tag :skip|XCTSkip|GTEST_SKIP(|DISABLED_"
).split("|")
_TESTS = (
    "def test_|func Test|#[test]|#[tokio::test]|@Test|[Fact]|[Theory]|[Test]|[TestMethod]| it(|"
    ' test(| it \'| it "| test "|TEST(|TEST_F(|@test |function test|func test'
).split("|")
_CHECKS = "assert Assert. expect( EXPECT_ require. t.Error t.Fatal .should XCTAssert".split()
_WITHIN_SOURCE = ("#[test]", "#[ignore", "#[cfg(test)]")


def weakened_by(calls: Sequence[ToolCall]) -> tuple[tuple[str, str, str], ...]:
    """Return ``(path, what, call id)`` for files whose tests ``calls`` deleted, skipped, or cut.

    All edits are added up, so that what only moves, inside a file or to another, does not count.
    """
    totals: dict[str, list[int]] = {}
    blamed: dict[str, str] = {}
    for call, path, old, new in _replacements(calls):
        if is_test_file(path) or any(mark in old or mark in new for mark in _WITHIN_SOURCE):
            change = [_count(new, it) - _count(old, it) for it in (_SKIPS, _TESTS, _CHECKS)]
            totals[path] = list(map(int.__add__, change, totals.get(path, (0, 0, 0))))
            if change[0] > 0 or min(change[1:]) < 0:
                blamed[path] = call.id
    gone = {it.path: it.call_id for it in edits_of(calls) if it.removed and it.is_source}
    found = [(path, "deleted", gone[path]) for path in filter(is_test_file, gone)]
    _, all_tests, all_checks = map(sum, zip((0, 0, 0), *totals.values(), strict=True))
    for path, (skips, tests, checks) in totals.items():
        skipped = max(0, skips)  # "it.skip(" is no "it(" any more
        lost = "checks removed" if checks < 0 > all_checks else ""
        lost = "tests removed" if tests + skipped < 0 > all_tests + skipped else lost
        kinds = ("skipped" if skips > 0 else "", lost)
        found += [(path, what, blamed[path]) for what in kinds if what]
    return tuple(found)


def _count(text: str, marks: Sequence[str]) -> int:
    text = " " + text.replace("\n", " ").replace("\t", " ")
    return sum(text.count(mark) for mark in marks)


def _replacements(calls: Sequence[ToolCall]) -> Iterator[tuple[ToolCall, str, str, str]]:
    """Yield call, path, old and new text of every edit; of a whole file when it was read before."""
    texts: dict[str, str] = {}
    reads: dict[str, str] = {}  # with the numbers of their lines
    for call in calls:
        path = argument(call, "file_path", "notebook_path")
        if call.result is None or call.is_error:
            continue
        if call.name == "Write":
            if path in reads:
                texts[path] = without_line_numbers(reads.pop(path))
            yield call, path, texts.get(path, ""), argument(call, "content")
            texts[path] = argument(call, "content")
        elif call.name == "Read" and "offset" not in call.input:
            reads[path] = call.result
        elif call.name in EDIT_TOOLS:
            edits = call.input.get("edits")
            edits = edits if isinstance(edits, list) else [call.input]
            for edit in (one for one in edits if isinstance(one, dict)):
                new = edit.get("new_string") or edit.get("new_source") or ""
                yield call, path, str(edit.get("old_string") or ""), str(new)
