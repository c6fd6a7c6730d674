"""Real outputs of tsc, eslint, biome, prettier, npm, pnpm and yarn."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, failed, missing_rows, passed, read

ROWS: list[Row] = [
    (
        "tsc",
        "build_failed",
        failed(
            "src/order.ts(2,7): error TS2322: Type 'number' is not assignable to type 'string'."
        ),
    ),
    (
        "tsc",
        "config_error",
        failed("error TS5058: The specified path does not exist: 'nosuch.json'."),
    ),
    (
        "tsc",
        "failed",
        failed(
            "src/order.ts(2,7): error TS2322: Type 'number' is not assignable to type 'string'."
        ),
    ),
    (
        "tsc",
        "failed_pretty",
        failed("Found 3 errors in the same file, starting at: src/order.ts:2", errors=3),
    ),
    (
        "tsc",
        "failed_pretty_tail",
        failed("Found 3 errors in the same file, starting at: src/order.ts:2", errors=3),
    ),
    (
        "tsc",
        "failed_tail",
        failed(
            "src/order.ts(3,8): error TS2322: Type 'string' is not assignable to type 'number'."
        ),
    ),
    (
        "tsc",
        "no_inputs",
        failed(
            "error TS18003: No inputs were found in config file "
            "'/home/dev/ts/e/tsconfig.json'. Specified 'include' paths were '[\"src\"]' and "
            "'exclude' paths were '[]'."
        ),
    ),
    ("tsc", "not_installed", failed("bash: line 1: tsc: command not found")),
    ("tsc", "passed", None),  # silent
    ("tsc", "passed_diagnostics", None),  # figures, no verdict
    ("tsc", "unknown_option", failed("error TS5023: Unknown compiler option '--nosuchoption'.")),
    # the last round counts
    (
        "tsc",
        "watch_passed",
        passed("9:55:00 AM - Found 0 errors. Watching for file changes.", errors=0),
    ),
    ("eslint", "config_crash", failed("SyntaxError: Unexpected end of input")),
    (
        "eslint",
        "config_error",
        failed(
            'TypeError: Key "rules": Key "nosuch-rule": Could not find "nosuch-rule" in plugin "@".'
        ),
    ),
    (
        "eslint",
        "config_missing",
        failed("ESLint couldn't find an eslint.config.(js|mjs|cjs) file."),
    ),
    ("eslint", "failed", failed("✖ 5 problems (3 errors, 2 warnings)", errors=3)),
    ("eslint", "failed_colours", failed("✖ 5 problems (3 errors, 2 warnings)", errors=3)),
    (
        "eslint",
        "failed_head",
        failed("1:5   error    'a' is never reassigned. Use 'const' instead  prefer-const"),
    ),
    ("eslint", "failed_json", None),  # not read
    ("eslint", "failed_syntax", failed("✖ 1 problem (1 error, 0 warnings)", errors=1)),
    ("eslint", "failed_tail", failed("✖ 5 problems (3 errors, 2 warnings)", errors=3)),
    ("eslint", "fixed", failed("✖ 3 problems (2 errors, 1 warning)", errors=2)),
    ("eslint", "ignored_only", failed('No files matching the pattern "README.md" were found.')),
    (
        "eslint",
        "nothing_matched",
        failed('No files matching the pattern "nosuch/*.js" were found.'),
    ),
    ("eslint", "passed", None),  # silent
    # warnings alone are no failure
    ("eslint", "passed_warnings", passed("✖ 1 problem (0 errors, 1 warning)", errors=0)),
    # unless --max-warnings says so
    (
        "eslint",
        "too_many_warnings",
        failed("ESLint found too many warnings (maximum: 0).", errors=0),
    ),
    (
        "biome",
        "config_error",
        failed("× Biome exited because the configuration resulted in errors. Please fix them."),
    ),
    ("biome", "failed", failed("Found 5 errors.", errors=5, total=3)),
    ("biome", "failed_colours", failed("Found 1 error.", errors=1, total=1)),
    ("biome", "failed_tail", failed("× Some errors were emitted while running checks.")),
    ("biome", "format_failed", failed("Found 1 error.", errors=1, total=1)),
    ("biome", "format_written", passed("Formatted 1 file in 1190µs. Fixed 1 file.", total=1)),
    ("biome", "ignored_only", failed("Found 1 error.", errors=1, total=1)),
    ("biome", "lint_warnings", failed("Found 1 error.", errors=1, total=1)),
    ("biome", "nothing_ran", failed("Found 1 error.", errors=1, total=0)),
    ("biome", "passed", passed("Checked 1 file in 14ms. No fixes applied.", total=1)),
    ("biome", "passed_ci", passed("Checked 2 files in 4ms. No fixes applied.", total=2)),
    (
        "prettier",
        "colours",
        failed(
            "[warn] Code style issues found in the above file. Run Prettier with --write to fix.",
            failed=1,
        ),
    ),
    (
        "prettier",
        "config_error",
        failed('[error] Invalid configuration for file "/home/dev/ts/js/ok.js":'),
    ),
    (
        "prettier",
        "failed",
        failed(
            "[warn] Code style issues found in the above file. Run Prettier with --write to fix.",
            failed=1,
        ),
    ),
    (
        "prettier",
        "failed_and_syntax_error",
        failed("[error] js/syntax.js: SyntaxError: Unexpected token (1:7)"),
    ),
    (
        "prettier",
        "failed_tail",
        failed(
            "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.", failed=2
        ),
    ),
    ("prettier", "listed", None),  # -l prints names only
    # "All matched files ..." follows the error
    (
        "prettier",
        "nothing_matched",
        failed('[error] No files matching the pattern were found: "nosuch/**/*.js".'),
    ),
    ("prettier", "passed", passed("All matched files use Prettier code style!")),
    (
        "prettier",
        "syntax_error",
        failed("[error] js/syntax.js: SyntaxError: Unexpected token (1:7)"),
    ),
    ("prettier", "written", None),  # --write checks nothing
    ("npm", "ci_lock_mismatch", failed("npm error code EUSAGE")),
    ("npm", "ci_passed", passed("added 1 package in 654ms")),
    ("npm", "install_bad_version", failed("npm error code ETARGET")),
    ("npm", "install_no_such_package", failed("npm error code E404")),
    ("npm", "install_passed", passed("added 1 package in 761ms")),
    ("npm", "install_passed_colours", passed("added 1 package in 459ms")),
    ("npm", "install_up_to_date", passed("up to date in 496ms")),
    ("npm", "no_package", failed("npm error code ENOENT")),
    ("npm", "npm6_script_failed", failed("npm ERR! code ELIFECYCLE")),
    # npm 6 has a line of its own
    ("npm", "npm6_test_failed_tail", failed("npm ERR! Test failed.  See above for more details.")),
    ("npm", "npm8_script_failed", None),  # the same
    ("npm", "npm8_script_missing", failed('npm ERR! Missing script: "nosuch"')),
    (
        "npm",
        "pnpm_frozen_mismatch",
        failed(
            'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because '
            "pnpm-lock.yaml is not up to date with <ROOT>/package.json"
        ),
    ),
    ("npm", "pnpm_install_passed", passed("Done in 1.2s using pnpm v10.34.9")),
    ("npm", "pnpm_install_up_to_date", passed("Done in 608ms using pnpm v10.34.9")),
    (
        "npm",
        "pnpm_no_such_package",
        failed(
            "ERR_PNPM_FETCH_404  GET "
            "https://packages.example/@groundwire-fixture%2Fno-such-package: Not Found - 404"
        ),
    ),
    (
        "npm",
        "pnpm_recursive_failed",
        failed("ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  ui@1.0.0 test: `node --test`"),
    ),
    ("npm", "pnpm_recursive_passed", None),
    ("npm", "pnpm_script_failed", failed("ELIFECYCLE  Command failed with exit code 2.")),
    ("npm", "pnpm_script_missing", failed("ERR_PNPM_NO_SCRIPT  Missing script: nosuch")),
    ("npm", "pnpm_script_passed", None),  # pnpm does not say so
    ("npm", "pnpm_test_failed", failed("ELIFECYCLE  Test failed. See above for more details.")),
    ("npm", "script_failed", None),  # npm from version 7 on is silent about it
    ("npm", "script_killed", None),  # the exit status says it
    ("npm", "script_missing", failed('npm error Missing script: "nosuch"')),
    ("npm", "script_passed", None),
    ("npm", "test_failed", None),  # what jest printed is not npm's
    ("npm", "test_passed", None),
    ("npm", "tool_missing", failed("sh: 1: nosuchtool: not found")),
    ("npm", "turbo_cached", None),
    ("npm", "turbo_failed", failed("npm error Lifecycle script `test` failed with error:")),
    ("npm", "workspaces_failed", failed("npm error Lifecycle script `test` failed with error:")),
    ("npm", "yarn4_install_failed", failed("➤ YN0000: · Failed with errors in 0s 102ms")),
    ("npm", "yarn4_install_passed", passed("➤ YN0000: · Done in 0s 63ms")),
    ("npm", "yarn4_script_missing", failed('Usage Error: Couldn\'t find a script named "nosuch".')),
    ("npm", "yarn_install_passed", passed("Done in 0.21s.")),
    (
        "npm",
        "yarn_no_such_version",
        failed('error Couldn\'t find any versions for "is-number" that matches "99.0.0"'),
    ),
    ("npm", "yarn_script_failed", failed("error Command failed with exit code 2.")),
    ("npm", "yarn_script_missing", failed('error Command "nosuch" not found.')),
    ("npm", "yarn_script_passed", passed("Done in 0.23s.")),
    ("npm", "yarn_test_failed", failed("error Command failed with exit code 1.")),
]


@pytest.mark.parametrize(("tool", "case", "expected"), ROWS)
def test_outcome(tool: str, case: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(tool, case)) == expected


def test_every_recorded_output_has_a_row() -> None:
    assert missing_rows(ROWS) == set()
