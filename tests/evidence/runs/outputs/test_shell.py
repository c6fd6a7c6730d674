"""Real outputs of bats, prove and ShellCheck."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    (
        "bats",
        "tap/failed_pretty",
        failed("3 tests, 1 failure, 1 skipped", failed=1, skipped=1, total=3),
    ),
    (
        "bats",
        "tap/failed_pretty_tail",
        failed("3 tests, 1 failure, 1 skipped", failed=1, skipped=1, total=3),
    ),
    ("bats", "tap/failed_tap", failed("not ok 2 fails without files", failed=1, total=3)),
    # without the plan nobody knows how many there were
    ("bats", "tap/failed_tap_tail", failed("not ok 2 fails without files")),
    (
        "bats",
        "tap/no_file",
        failed('Error: Test file "/home/dev/backup/missing.bats" does not exist'),
    ),
    ("bats", "tap/nothing_ran", unknown("1..0", total=0)),
    ("bats", "tap/passed_pretty", passed("2 tests, 0 failures", failed=0, total=2)),
    ("bats", "tap/passed_tail", passed("2 tests, 0 failures", failed=0, total=2)),
    ("bats", "tap/passed_tap", passed("1..2", failed=0, skipped=0, total=2)),
    ("prove", "tap/prove_failed", failed("Result: FAIL", total=4)),
    ("prove", "tap/prove_failed_tail", failed("Result: FAIL", total=4)),
    ("prove", "tap/prove_nothing_ran", unknown("Result: NOTESTS", total=0)),
    ("prove", "tap/prove_passed", passed("Result: PASS", total=2)),
    ("prove", "tap/prove_passed_verbose", passed("Result: PASS", total=2)),
    (
        "bats",
        "tap/skipped_pretty",
        passed("3 tests, 0 failures, 1 skipped", failed=0, skipped=1, total=3),
    ),
    ("bats", "tap/skipped_tap", passed("1..3", failed=0, skipped=1, total=3)),
    ("bats", "tap/syntax_error", failed("not ok 1 setup_file failed", failed=1, total=1)),
    (
        "shellcheck",
        "shellcheck/failed",
        failed("^---------^ SC2045 (error): Iterating over ls output is fragile. Use globs."),
    ),
    (
        "shellcheck",
        "shellcheck/failed_colours",
        failed("^---------^ SC2045 (error): Iterating over ls output is fragile. Use globs."),
    ),
    (
        "shellcheck",
        "shellcheck/failed_gcc",
        failed("clean.sh:2:10: error: Iterating over ls output is fragile. Use globs. [SC2045]"),
    ),
    (
        "shellcheck",
        "shellcheck/failed_json",
        failed(
            '[{"file":"clean.sh","line":2,"endLine":2,"column":10,"endColumn":21,"level":"e'
            'rror","code":2045,"message":"Iterating over ls output is fragile. Use '
            'globs.","fix":null},{"file":"clean.sh","line":2,"end'
        ),
    ),
    (
        "shellcheck",
        "shellcheck/failed_tail",
        failed("https://www.shellcheck.net/wiki/SC2045 -- Iterating over ls output is fragi..."),
    ),
    (
        "shellcheck",
        "shellcheck/no_file",
        failed(
            "missing.sh: missing.sh: openBinaryFile: does not exist (No such file or directory)"
        ),
    ),
    (
        "shellcheck",
        "shellcheck/only_info",
        failed("^-- SC2086 (info): Double quote to prevent globbing and word splitting."),
    ),
    (
        "shellcheck",
        "shellcheck/parse_error",
        failed("^-- SC1009 (info): The mentioned syntax error was in this if expression."),
    ),
    # silent
    ("shellcheck", "shellcheck/passed", None),
    ("shellcheck", "shellcheck/unknown_option", failed("unrecognized option `--no-such-option'")),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["shellcheck", "tap"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
