"""Real outputs of jest, vitest, mocha, node --test, Playwright and plain JavaScript programs."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, failed, missing_rows, passed, read, unknown

ROWS: list[Row] = [
    # all skipped by -t
    ("jest", "all_filtered", unknown("Tests:       2 skipped, 2 total", skipped=2, total=2)),
    (
        "jest",
        "bail",
        failed(
            "Tests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total",
            passed=2,
            failed=1,
            skipped=1,
            total=5,
        ),
    ),
    ("jest", "config_error", failed("SyntaxError: Unexpected end of input")),
    # all tests pass, the run does not
    (
        "jest",
        "coverage_too_low",
        failed(
            'Jest: Coverage for functions (66.66%) does not meet "global" threshold (90%)', passed=2
        ),
    ),
    (
        "jest",
        "failed",
        failed(
            "Tests:       1 failed, 1 skipped, 1 todo, 4 passed, 7 total",
            passed=4,
            failed=1,
            skipped=1,
            total=7,
        ),
    ),
    (
        "jest",
        "failed_colours",
        failed(
            "Tests:       1 failed, 1 skipped, 1 todo, 4 passed, 7 total",
            passed=4,
            failed=1,
            skipped=1,
            total=7,
        ),
    ),
    ("jest", "failed_head", failed("FAIL mixed/order.test.js")),
    (
        "jest",
        "failed_tail",
        failed(
            "Tests:       1 failed, 1 skipped, 1 todo, 4 passed, 7 total",
            passed=4,
            failed=1,
            skipped=1,
            total=7,
        ),
    ),
    ("jest", "not_installed", failed("bash: line 1: jest: command not found")),
    ("jest", "nothing_ran", unknown("No tests found, exiting with code 1", total=0)),
    ("jest", "nothing_ran_allowed", unknown("No tests found, exiting with code 0", total=0)),
    ("jest", "passed", passed("Tests:       2 passed, 2 total", passed=2, total=2)),
    ("jest", "passed_colours", passed("Tests:       2 passed, 2 total", passed=2, total=2)),
    ("jest", "passed_coverage", passed("Tests:       2 passed, 2 total", passed=2, total=2)),
    ("jest", "passed_tail", passed("Tests:       2 passed, 2 total", passed=2, total=2)),
    ("jest", "passed_verbose", passed("Tests:       2 passed, 2 total", passed=2, total=2)),
    # a file that does not load, no failed test
    (
        "jest",
        "suite_failed",
        failed("Test Suites: 1 failed, 1 passed, 2 total", passed=2, errors=1, total=2),
    ),
    ("jest", "suite_failed_alone", failed("Test Suites: 1 failed, 1 total", errors=1, total=0)),
    (
        "jest",
        "two_workspaces",
        failed(
            "Tests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total",
            passed=4,
            failed=1,
            skipped=1,
            total=7,
        ),
    ),
    ("jest", "unknown_option", failed("● Unrecognized CLI Parameter:")),
    ("vitest", "all_filtered", unknown("Tests  2 skipped (2)", skipped=2, total=2)),
    (
        "vitest",
        "config_error",
        failed("failed to load config from /home/dev/web/vt/bad.config.mjs"),
    ),
    ("vitest", "dot", passed("Tests  2 passed (2)", passed=2, total=2)),
    (
        "vitest",
        "failed",
        failed(
            "Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)",
            passed=3,
            failed=1,
            skipped=1,
            total=6,
        ),
    ),
    (
        "vitest",
        "failed_colours",
        failed(
            "Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)",
            passed=3,
            failed=1,
            skipped=1,
            total=6,
        ),
    ),
    (
        "vitest",
        "failed_head",
        failed("❯ mixed/order.test.mjs (4 tests | 1 failed | 2 skipped) 7ms"),
    ),
    (
        "vitest",
        "failed_tail",
        failed(
            "Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)",
            passed=3,
            failed=1,
            skipped=1,
            total=6,
        ),
    ),
    ("vitest", "nothing_ran", unknown("No test files found, exiting with code 1", total=0)),
    ("vitest", "nothing_ran_allowed", unknown("No test files found, exiting with code 0", total=0)),
    ("vitest", "passed", passed("Tests  2 passed (2)", passed=2, total=2)),
    ("vitest", "passed_colours", passed("Tests  2 passed (2)", passed=2, total=2)),
    ("vitest", "passed_tail", passed("Tests  2 passed (2)", passed=2, total=2)),
    ("vitest", "passed_verbose", passed("Tests  2 passed (2)", passed=2, total=2)),
    (
        "vitest",
        "suite_failed",
        failed("Test Files  1 failed | 1 passed (2)", passed=2, errors=1, total=2),
    ),
    # all tests pass, the run does not
    ("vitest", "unhandled_error", failed("Errors  1 error", passed=1, errors=1, total=1)),
    ("vitest", "unknown_option", failed("CACError: Unknown option `--nosuchoption`")),
    ("mocha", "failed", failed("1 failing", passed=1, failed=1, skipped=2)),
    ("mocha", "failed_bail", failed("1 failing", passed=1, failed=1)),
    ("mocha", "failed_colours", failed("1 failing", passed=1, failed=1, skipped=2)),
    ("mocha", "failed_min", failed("1 failing", passed=1, failed=1, skipped=2)),
    ("mocha", "failed_tail", None),  # the counts stand above the stack
    ("mocha", "load_error", failed("Exception during run: Error: Cannot find module '../nosuch'")),
    ("mocha", "no_files", unknown('Error: No test files found: "nowhere"', total=0)),
    ("mocha", "nothing_ran", unknown("0 passing (0ms)", passed=0, total=0)),
    ("mocha", "only_pending", unknown("0 passing (1ms)", passed=0, skipped=1, total=0)),
    ("mocha", "passed", passed("2 passing (2ms)", passed=2)),
    ("mocha", "passed_colours", passed("2 passing (2ms)", passed=2)),
    ("mocha", "passed_dot", passed("2 passing (1ms)", passed=2)),
    ("mocha", "passed_tail", passed("2 passing (2ms)", passed=2)),
    ("mocha", "passed_tap", passed("# tests 2", passed=2, failed=0, total=2)),  # the TAP reporter
    (
        "node_test",
        "cancelled",
        failed("# fail 1", passed=0, failed=1, skipped=0, errors=2, total=3),
    ),
    (
        "node_test",
        "failed_colours",
        failed("ℹ fail 1", passed=1, failed=1, skipped=1, errors=0, total=4),
    ),
    ("node_test", "failed_dot", failed("✖ discount (0.77904ms)")),  # this reporter prints no counts
    ("node_test", "failed_head", failed("not ok 2 - discount")),
    (
        "node_test",
        "failed_spec",
        failed("ℹ fail 1", passed=1, failed=1, skipped=1, errors=0, total=4),
    ),
    ("node_test", "failed_spec_tail", None),  # the counts stand above the failures
    ("node_test", "failed_tail", failed("# fail 1", failed=1, skipped=1, errors=0)),
    (
        "node_test",
        "failed_tap",
        failed("# fail 1", passed=1, failed=1, skipped=1, errors=0, total=4),
    ),
    (
        "node_test",
        "load_error",
        failed("ℹ fail 1", passed=0, failed=1, skipped=0, errors=0, total=1),
    ),
    (
        "node_test",
        "nothing_ran",
        unknown("ℹ tests 0", passed=0, failed=0, skipped=0, errors=0, total=0),
    ),
    (
        "node_test",
        "passed_colours",
        passed("ℹ tests 2", passed=2, failed=0, skipped=0, errors=0, total=2),
    ),
    (
        "node_test",
        "passed_spec",
        passed("ℹ tests 2", passed=2, failed=0, skipped=0, errors=0, total=2),
    ),
    (
        "node_test",
        "passed_tail",
        passed("ℹ tests 2", passed=2, failed=0, skipped=0, errors=0, total=2),
    ),
    # "fail 0" is seen, "pass" is cut off
    ("node_test", "passed_tail_5", passed("ℹ fail 0", failed=0, skipped=0, errors=0)),
    (
        "node_test",
        "passed_tap",
        passed("# tests 2", passed=2, failed=0, skipped=0, errors=0, total=2),
    ),
    ("node_test", "path_missing", failed("Could not find '/home/dev/web/nt/nowhere/a.test.js'")),
    (
        "playwright",
        "config_error",
        failed("SyntaxError: /home/dev/web/pw/cfg/playwright.config.js: Unexpected token (2:0)"),
    ),
    ("playwright", "failed", failed("4 failed", passed=1, failed=4, skipped=1)),
    ("playwright", "failed_colours", failed("2 failed", passed=1, failed=2, skipped=1)),
    ("playwright", "failed_first", failed("1 failed", failed=1, errors=1)),
    ("playwright", "failed_head", failed("✘  1 mixed/flaky.spec.js:2:1 › second time (13ms)")),
    # the names have lost their heading "4 failed"
    ("playwright", "failed_tail", unknown("1 passed (4.2s)", passed=1, skipped=1)),
    # "4 failed" stood above
    ("playwright", "failed_tail_one", unknown("1 passed (3.8s)", passed=1)),
    ("playwright", "load_error", failed("Error: Cannot find module 'nosuch-module'")),
    ("playwright", "nothing_ran", unknown("Error: No tests found.", total=0)),
    ("playwright", "only_skipped", unknown("1 skipped", skipped=1)),
    ("playwright", "passed", passed("2 passed (1.2s)", passed=2)),
    ("playwright", "passed_colours", passed("2 passed (1.2s)", passed=2)),
    ("playwright", "passed_dot", passed("2 passed (1.3s)", passed=2)),
    ("playwright", "passed_flaky", passed("1 flaky")),  # passed on the second try: exit status 0
    ("playwright", "passed_line", passed("2 passed (1.0s)", passed=2)),
    ("playwright", "passed_tail", passed("2 passed (1.3s)", passed=2)),
    ("node", "crashed", failed("SyntaxError: Expected property name or '}' in JSON at position 1")),
    ("node", "crashed_tail", failed("Node.js v20.20.2")),
    ("node", "file_missing", failed("Error: Cannot find module '/home/dev/job/nosuch.js'")),
    ("node", "passed", None),  # says nothing
    ("node", "rejected", failed("Error: no database")),
    ("node", "syntax_error", failed("SyntaxError: Unexpected token '='")),
]


@pytest.mark.parametrize(("tool", "case", "expected"), ROWS)
def test_outcome(tool: str, case: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(tool, case)) == expected


def test_every_recorded_output_has_a_row() -> None:
    assert missing_rows(ROWS) == set()
