"""What is around the output of a tool, and what rows of ``outcomes/*.toml`` make of any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.records import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.outcomes.clean import brief, clean
from groundwire.outcomes.read import is_silent, kinds_of, parse_output, recognise
from groundwire.outcomes.rows import SHAPES, combine, counts
from groundwire.rules.outcomes import TOOLS
from tests.evidence.outputs.recorded import read


def passed(line: str, **counts: int) -> Outcome:
    return Outcome(PASSED, line=line, **counts)


def failed(line: str, **counts: int) -> Outcome:
    return Outcome(FAILED, line=line, **counts)


def unknown(line: str, **counts: int) -> Outcome:
    return Outcome(UNKNOWN, line=line, **counts)


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
    assert clean("\n".join(lines)).split("\n") == lines


def test_packages_that_run_at_the_same_time_are_put_together() -> None:
    lines = ["start", "a:test: 1", "b:test: 1", "a:test: 2", "b:test:", "b:test: 3", "end"]
    cleaned = clean("\n".join(lines)).split("\n")
    assert cleaned == ["1", "2", "1", "", "3", "start", "end"]


@pytest.mark.parametrize(
    ("line", "behind", "expected"),
    [
        ("1 failed, 40 passed, 2 errors", False, [("failed", 1), ("passed", 40), ("error", 2)]),
        ("1 failed | 2 passed (3)", False, [("failed", 1), ("passed", 2), ("", 3)]),
        ("3 errors.", False, [("error", 3)]),
        ("no errors, 1", False, [("error", 0), ("", 1)]),
        ("1 tests failed out of 3", False, [("test failed out of", 1), ("out of", 3), ("", 3)]),
        ("2/3 tests run: 1 passed", False, [("", 2), ("test run", 3), ("passed", 1)]),
        ("\u0664 failed, \u00b2 failed", False, []),  # digits, but not those of a count
        ("9999999999999 failed", False, []),
        ("", False, []),
        ("Failures: 2, Errors: 0", True, [("failure", 2), ("error", 0)]),
        ("FAILED (errors=1)", True, [("error", 1)]),
        ("# pass 3", True, [("# pass", 3)]),
    ],
)
def test_counts(line: str, behind: bool, expected: list[tuple[str, int]]) -> None:
    assert counts(line, behind) == expected


@pytest.mark.parametrize(
    ("shape", "line", "expected"),
    [
        ("finding", "shop/cart.py:3:7: F401 'os' imported but unused", True),
        ("finding", "cart.py:3:7: PLR0913 Too many arguments", True),
        ("finding", "cart.py:3:7: note: see above", False),
        ("finding", "cart.py:3:7: ERROR text", False),
        ("finding", "cart.py:3: F401 text", False),
        ("finding", "12:30:00: E501 text", False),
        ("finding", "a:1:2:", False),
        ("timed", "== 1 failed, 2 passed in 0.12s ==", True),
        ("timed", "Build failed with 1 error(s) in 0.9s", False),
        ("timed", "INFO 40 rows passed, 2 failed in 3 batches", False),
        ("commit", "[main 5445a4e] Subject", True),
        ("commit", "[INFO] Subject", False),
        ("range", "   a1b2c3d..0f1e2d3  main -> main", True),
        ("range", " * [new branch]      main -> main", False),
        ("whole", "[8/8] Linking", True),
        ("whole", "web-0   0/0   Running", False),
        ("part", "web-0   0/1   Running", True),
        ("part", "web-0   1/1   Running", False),
    ],
)
def test_shapes(shape: str, line: str, expected: bool) -> None:
    assert SHAPES[shape](line) is expected


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
    outcomes = [parse_output(tool, text) for table in TOOLS for tool in table[0]]
    found = recognise(text)
    outcomes.append(found[1] if found else None)
    for outcome in outcomes:
        assert outcome is None or outcome.status in (PASSED, FAILED, UNKNOWN)
        assert outcome is None or len(outcome.line) <= 200


@pytest.mark.parametrize(
    ("parts", "tool", "status"),
    [
        # all well: the tests are named before the linters, whatever came first
        ([("ruff", "passed"), ("mypy", "passed"), ("pytest", "passed")], "pytest", PASSED),
        ([("npm", "install_passed"), ("jest", "passed")], "jest", PASSED),
        # one failed: it is named
        ([("pytest", "passed"), ("mypy", "failed")], "mypy", "failed"),
        ([("jest", "passed"), ("npm", "pnpm_script_failed")], "npm", "failed"),
        ([("tsc", "failed"), ("npm", "npm6_script_failed")], "tsc", "failed"),
    ],
)
def test_several_tools_in_one_output(parts: list[tuple[str, str]], tool: str, status: str) -> None:
    found = recognise("".join(read(*part) for part in parts))
    assert found is not None
    assert (found[0], found[1].status) == (tool, status)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "Done in 3.2s",
        "3 tests passed the review, 2 failed it",
        "ERROR: the queue is empty\nretrying",
        "INFO 40 rows passed, 2 failed in 3 batches",
        "error: pathspec 'x' did not match any file(s) known to git",
        " src/app.py | 12 ++--\n 1 file changed, 6 insertions(+)",
        "commit 1234\n\n    All tests pass; 3 errors fixed in 2 files\n",
        "Found 3 errors in the log, see below",
        "1 file changed",
        "Ran the migration in 3 s\nOK",
        "added 3 rows in 2s",
        "loading....\nPassed",
        "see FAILED (later)",
    ],
)
def test_other_text_is_not_recognised(text: str) -> None:
    assert recognise(text) is None


def test_unknown_tool() -> None:
    assert parse_output("nosuch", "1 passed in 0.1s") is None


@pytest.mark.parametrize(
    "output",
    [
        "bash: line 1: pyright: command not found",
        "sh: 1: pyright: not found",
        "zsh: command not found: pyright",
        "/usr/bin/python3: No module named pyright",
    ],
)
def test_a_tool_that_is_not_there_has_failed(output: str) -> None:
    outcome = parse_output("pyright", output)
    assert outcome is not None
    assert (outcome.status, outcome.line) == ("failed", output)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        # what the harness writes before the output of a command that failed
        ("Exit code 1\nwc: a.go: open: No such file or directory", failed("Exit code 1")),
        ("Error: Exit code 2\nusage: sync [-n]", failed("Error: Exit code 2")),
        ("Command timed out after 2m 0.0s\npart", failed("Command timed out after 2m 0.0s")),
        # one that ends with the status of something that went well
        ("web-1  | ready\nweb-1 exited with code 0", passed("web-1 exited with code 0")),
        ("web-1 exited with code 137", failed("web-1 exited with code 137")),
        # in the middle of a script that went on: not its result
        ("bash: line 3: nosuch: command not found\ndone", None),
        ("retry after exit status 1\nconnected", None),
        ("the old job was killed\n3 rows", None),
        ("exit code of the last job: unknown", None),
        ("", None),
    ],
)
def test_marks(output: str, expected: Outcome | None) -> None:
    assert parse_output("*", output) == expected


@pytest.mark.parametrize(
    ("tool", "output", "status"),
    [
        # a build that was made good, and one that was not
        ("xcodebuild", "a.swift:1:2: error: x\n** BUILD FAILED **\n** BUILD SUCCEEDED **", PASSED),
        ("xcodebuild", "** BUILD SUCCEEDED **\n** BUILD FAILED **", FAILED),
        ("xcodebuild", "** TEST FAILED **\n", FAILED),
        # a success above a cut may be followed by a failure that was cut off
        ("go test", "ok  \ta\t0.1s\nok  \n... [9 lines truncated] ...\n\nhalf\n", UNKNOWN),
        ("go test", "ok  \ta\t0.1s\nb\n... [9 lines truncated] ...\nb\nok  \tc\t0.1s\n", PASSED),
        ("go test", "FAIL\ta\t0.1s\nb\n... [9 lines truncated] ...\nb\nok  \tc\t0.1s\n", FAILED),
        # listings: one that is not ready decides
        ("kubectl", "web-1   1/1   Running   0   5m\nweb-2   1/1   Running   0   5m", PASSED),
        ("kubectl", "web-1   1/1   Running   0   5m\nweb-2   0/1   Running   0   5m", FAILED),
        (
            "kubectl",
            "web-1   1/1   Running   0   5m\nweb-2   0/1   CrashLoopBackOff   4   5m",
            FAILED,
        ),
        ("kubectl", "web-1   1/1   Running   0   5m\nweb-2   0/1   Pending   0   5s", UNKNOWN),
        ("docker", "9f2c   web   Up 2 minutes\n9f2d   db   Up 2 minutes (healthy)", PASSED),
        ("docker", "9f2c   web   Up 2 minutes\n9f2d   db   Exited (1) 3 seconds ago", FAILED),
        ("systemctl", "   Active: active (running) since Mon", PASSED),
        ("systemctl", "   Active: failed (Result: exit-code) since Mon", FAILED),
        ("curl", "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>well</p>", PASSED),
        ("curl", "HTTP/2 503 \nserver: nginx", FAILED),
        ("curl", "curl: (7) Failed to connect to localhost port 80", FAILED),
        ("psql", " id\n----\n  1\n(1 row)", PASSED),
        ("psql", 'ERROR:  relation "x" does not exist', FAILED),
        ("gh pr checks", "lint\tpass\t10s\turl\ntests\tfail\t1m\turl", FAILED),
        ("gh pr checks", "lint\tpass\t10s\turl\ntests\tpass\t1m\turl", PASSED),
        ("gh run list", "completed\tsuccess\tFix\nCI\ncompleted\tfailure\tFix", PASSED),
    ],
)
def test_status(tool: str, output: str, status: str) -> None:
    outcome = parse_output(tool, output)
    assert outcome is not None
    assert outcome.status == status


def test_what_is_known_of_tools() -> None:
    assert is_silent("tsc")
    assert not is_silent("pytest")
    assert kinds_of("xcodebuild") == ("test", "build")
    assert kinds_of("nosuch") == ()
    assert parse_output("tsc", "") is None
