"""What is around the output of a tool: escapes, progress bars, cut marks, prefixes of CI."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import PARSERS, parse_output, recognise
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, clean, counts, is_finding
from groundwire.evidence.runs.outputs.prefixes import without_prefixes
from tests.evidence.runs.outputs.fixture import failed, passed, read, unknown

PERSISTED = "<persisted-output>\nOutput too large (98KB). Full output saved to: /tmp/a.txt\n\n"
SUMMARY = read("pytest", "failed_quiet_no_traceback")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("plain\ntext", "plain\ntext"),
        ("\x1b[1;31m2 failed\x1b[0m", "2 failed"),
        ("\x1b[38;2;1;2;3mred\x1b(B\x1b[m", "red"),  # ends as terminfo writes it
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\x1b\\text", "text"),
        ("\x1b7saved\x1b8", "saved"),
        ("cut \x1b[1;3", "cut "),  # the text ends inside an escape
        ("cut \x1b", "cut "),
        ("10 %\r50 %\r100 %\ndone", "100 %\ndone"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("100 %\r   \r", "100 %"),  # a bar that wipes itself leaves what was read last
        ("\u2028 is no end of line", "\u2028 is no end of line"),
    ],
)
def test_terminal(raw: str, expected: str) -> None:
    assert clean(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a\nhalf of a li\n\n... [12 lines truncated] ...\n\nne\nb", "a\nb"),
        ("a\n\n... [12 lines truncated] ...\n== 7 passed in 0.09s ==", "== 7 passed in 0.09s =="),
        ("half\n\n... [15612 characters truncated] ...\n\n12 passed in 3s\nb", "b"),
        ("a\nhal\n... [3240 lines truncated] ...", "a"),
        ("a\nhal\n[output truncated]", "a"),
        (
            f"{PERSISTED}Preview (first 2KB):\na\nb\nhal\n...\n</persisted-output>",
            "a\nb",
        ),
        # a tool's own words are kept
        ("the list is truncated\nb", "the list is truncated\nb"),
    ],
)
def test_cut_marks(raw: str, expected: str) -> None:
    assert clean(raw) == expected


def test_a_cut_number_is_not_read() -> None:
    text = "1\n... [90 characters truncated] ...\n12 passed in 3.00s\n"
    assert parse_output("pytest", text) is None


# The form "<job>\t<step>\t<time> <line>" of the GitHub client is described in
# https://github.com/laurigates/claude-plugins/pull/2067
@pytest.mark.parametrize(
    "prefix",
    [
        "test\tRun tests\t2026-03-01T09:30:00.1234567Z ",
        "2026-03-01T09:30:00.1234567Z ",
        "#12 3.456 ",  # docker build
        "shop:test: ",  # turbo
        "packages/shop test: ",  # pnpm -r
    ],
)
def test_prefixes(prefix: str) -> None:
    prefixed = "".join(f"{prefix}{line}\n" for line in SUMMARY.splitlines())
    assert parse_output("pytest", prefixed) == parse_output("pytest", SUMMARY)


@pytest.mark.parametrize(
    "lines",
    [
        ["src/a.py:3: error: x", "src/a.py:3: error: y", "src/a.py:3: error: z"],
        ["a.ts:1:2 - error TS1: x", "a.ts:1:3 - error TS1: y", "a.ts:1:4 - error TS1: z"],
        ["FAILED tests/a.py - x: y", "FAILED tests/b.py - x: y", "FAILED tests/c.py - x: y"],
        ["2026-03-01 09:30 ok", "2026-03-01 09:31 ok", "2026-03-01 09:32 ok"],
        ["# tests 3", "# pass 3", "# fail 0"],
        ["#1 a", "#2 b", "#3 c"],
        ["Tests:  1 failed", "Time:  2 s", "Snapshots:  0 total"],
        ["a:b: only once", "one", "two", "three"],
    ],
)
def test_no_prefix(lines: list[str]) -> None:
    assert without_prefixes(list(lines)) == lines


def test_packages_that_run_at_the_same_time_are_put_together() -> None:
    lines = ["start", "a:test: 1", "b:test: 1", "a:test: 2", "b:test:", "b:test: 3", "end"]
    assert without_prefixes(lines) == ["1", "2", "1", "", "3", "start", "end"]


@pytest.mark.parametrize(
    ("text", "separator", "expected"),
    [
        ("1 failed, 40 passed, 2 errors", ",", {"failed": 1, "passed": 40, "error": 2}),
        ("1 failed | 2 passed (3)", "|", {"failed": 1, "passed": 2}),
        ("3 errors.", ",", {"error": 3}),
        ("2 files, 1 file", ",", {"file": 3}),
        ("no errors, 1", ",", {}),
        ("\u0664 failed, \u00b2 failed", ",", {}),  # digits, but not those of a count
        ("9999999999999 failed", ",", {}),
        ("", ",", {}),
    ],
)
def test_counts(text: str, separator: str, expected: dict[str, int]) -> None:
    assert counts(text, separator) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("shop/cart.py:3:7: F401 'os' imported but unused", True),
        ("cart.py:3:7: PLR0913 Too many arguments", True),
        ("cart.py:3:7: note: see above", False),
        ("cart.py:3:7: ERROR text", False),
        ("cart.py:3: F401 text", False),
        ("12:30:00: E501 text", False),
        ("a:1:2:", False),
    ],
)
def test_is_finding(line: str, expected: bool) -> None:
    assert is_finding(line) is expected


def test_brief() -> None:
    assert brief("  " + "x" * 300) == "x" * 200


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], None),
        ([passed("a", passed=2)], passed("a", passed=2)),
        ([passed("a", passed=2), passed("b", passed=3)], passed("b", passed=5)),
        (
            [failed("a", failed=1, passed=2), passed("b", passed=3)],
            failed("a", failed=1, passed=5),
        ),
        ([passed("a", passed=2), unknown("b", total=0)], passed("a", passed=2)),
        ([unknown("a"), unknown("b")], unknown("b")),
        # a total that only one of them printed is no total of both
        ([passed("a", passed=1, total=1), passed("b", passed=1)], passed("b", passed=2)),
        ([passed("a", total=1), passed("b", total=2)], passed("b", total=3)),
    ],
)
def test_combine(outcomes: list[Outcome], expected: Outcome | None) -> None:
    assert combine(outcomes) == expected


_TEXTS = """
    Tests:|Ran|OK|FAILED (errors=1)|\u2716|2 problems|Found|error TS1|# pass 1|1 passing (1ms)
    Done in 1s|\x1b[|\r|....|Traceback (most recent call last):|...Passed|Results (|a:1:1: E1
    =|(|/| truncated] ...|<persisted-output>|Preview (first |\t2026-01-01T1|a:b: |1|Tests  |+---
    + Exception Group Traceback (most recent call last):|  | E: x|  File "a"|Error: x|not ok 1
"""
_WORDS = st.sampled_from([*SUMMARY.split(), *_TEXTS.split("|"), "\n", "    ", "  "])


@given(st.lists(_WORDS, max_size=40).map("".join) | st.lists(_WORDS, max_size=40).map(" ".join))
def test_any_text_is_read_without_error(text: str) -> None:
    outcomes = [parse_output(tool, text) for tool in PARSERS]
    found = recognise(text)
    outcomes.append(found[1] if found else None)
    for outcome in outcomes:
        assert outcome is None or outcome.status in (PASSED, FAILED, UNKNOWN)
        assert outcome is None or len(outcome.line) <= 200
