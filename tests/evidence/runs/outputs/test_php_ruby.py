"""Real outputs of PHPUnit, RSpec, minitest, rake and RuboCop; Pest in the form of its issues."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    (
        "phpunit",
        "phpunit/deprecations_10",
        passed("Tests: 13, Assertions: 54, Deprecations: 2.", total=13),
    ),
    (
        "phpunit",
        "phpunit/errors",
        failed(
            "Tests: 5, Assertions: 0, Errors: 3, Skipped: 1, Incomplete: 1.",
            skipped=2,
            errors=3,
            total=5,
        ),
    ),
    # a file of tests ended PHP: no output
    ("phpunit", "phpunit/exited", None),
    (
        "phpunit",
        "phpunit/failed",
        failed(
            "Tests: 5, Assertions: 2, Failures: 1, Skipped: 1, Incomplete: 1, Risky: 1.",
            failed=1,
            skipped=2,
            total=5,
        ),
    ),
    (
        "phpunit",
        "phpunit/failed_colours",
        failed(
            "Tests: 5, Assertions: 2, Failures: 1, Skipped: 1, Incomplete: 1, Risky: 1.",
            failed=1,
            skipped=2,
            total=5,
        ),
    ),
    (
        "phpunit",
        "phpunit/failed_tail",
        failed(
            "Tests: 5, Assertions: 2, Failures: 1, Skipped: 1, Incomplete: 1, Risky: 1.",
            failed=1,
            skipped=2,
            total=5,
        ),
    ),
    ("phpunit", "phpunit/no_folder", failed('Cannot open file "missing".')),
    ("phpunit", "phpunit/nothing_ran", unknown("No tests executed!", total=0)),
    ("phpunit", "phpunit/passed", passed("OK (2 tests, 2 assertions)", total=2)),
    ("phpunit", "phpunit/passed_colours", passed("OK (2 tests, 2 assertions)", total=2)),
    ("phpunit", "phpunit/passed_tail", passed("OK (2 tests, 2 assertions)", total=2)),
    ("phpunit", "phpunit/passed_testdox", passed("OK (2 tests, 2 assertions)", total=2)),
    ("pest", "phpunit/pest_failed", failed("Tests:    1 failed (11 assertions)", failed=1)),
    (
        "pest",
        "phpunit/pest_passed",
        passed("Tests:    7 skipped, 167 passed (338 assertions)", passed=167, skipped=7),
    ),
    (
        "phpunit",
        "phpunit/php_lint_failed",
        failed("PHP Parse error:  Unclosed '{' on line 2 in src/Slug.php on line 6"),
    ),
    ("phpunit", "phpunit/php_lint_passed", None),
    (
        "phpunit",
        "phpunit/skipped_10",
        passed("Tests: 6, Assertions: 4, Skipped: 2.", skipped=2, total=6),
    ),
    (
        "phpunit",
        "phpunit/skipped_risky",
        passed("Tests: 5, Assertions: 2, Skipped: 1, Incomplete: 1, Risky: 1.", skipped=2, total=5),
    ),
    (
        "phpunit",
        "phpunit/syntax_error",
        failed(
            'PHP Fatal error:  Uncaught ParseError: syntax error, unexpected token ":", '
            "expecting variable in /home/dev/forum/src/Slug.php:2"
        ),
    ),
    ("phpunit", "phpunit/unknown_option", failed('Unknown option "--no-such-option"')),
    ("rspec", "rspec/failed", failed("2 examples, 1 failure", failed=1, total=2)),
    ("rspec", "rspec/failed_colours", failed("2 examples, 1 failure", failed=1, total=2)),
    # the summary is cut off
    ("rspec", "rspec/failed_tail", failed("Failed examples:")),
    (
        "rspec",
        "rspec/load_error",
        failed(
            "0 examples, 0 failures, 1 error occurred outside of examples",
            failed=0,
            errors=1,
            total=0,
        ),
    ),
    (
        "rspec",
        "rspec/load_error_tail",
        failed(
            "0 examples, 0 failures, 1 error occurred outside of examples",
            failed=0,
            errors=1,
            total=0,
        ),
    ),
    ("rspec", "rspec/no_examples", unknown("0 examples, 0 failures", failed=0, total=0)),
    ("rspec", "rspec/nothing_ran", unknown("0 examples, 0 failures", failed=0, total=0)),
    ("rspec", "rspec/passed", passed("2 examples, 0 failures", failed=0, total=2)),
    ("rspec", "rspec/passed_colours", passed("2 examples, 0 failures", failed=0, total=2)),
    ("rspec", "rspec/passed_documentation", passed("2 examples, 0 failures", failed=0, total=2)),
    ("rspec", "rspec/passed_tail", passed("2 examples, 0 failures", failed=0, total=2)),
    (
        "rspec",
        "rspec/path_missing",
        failed(
            "0 examples, 0 failures, 1 error occurred outside of examples",
            failed=0,
            errors=1,
            total=0,
        ),
    ),
    (
        "rspec",
        "rspec/pending",
        passed("3 examples, 0 failures, 1 pending", failed=0, skipped=1, total=3),
    ),
    (
        "minitest",
        "minitest/errors",
        failed(
            "2 runs, 0 assertions, 0 failures, 2 errors, 0 skips",
            failed=0,
            skipped=0,
            errors=2,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/failed",
        failed(
            "2 runs, 2 assertions, 1 failures, 0 errors, 0 skips",
            failed=1,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/failed_rake",
        failed(
            "2 runs, 2 assertions, 1 failures, 0 errors, 0 skips",
            failed=1,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    # the summary is cut off
    ("minitest", "minitest/failed_rake_tail", failed("rake aborted!")),
    (
        "minitest",
        "minitest/load_error",
        failed(
            "/home/dev/gem/test/clock_test.rb:4:in `require_relative': "
            "/home/dev/gem/lib/clock.rb:6: syntax error, unexpected constant, expecting "
            "')' (SyntaxError)"
        ),
    ),
    (
        "minitest",
        "minitest/nothing_ran",
        unknown(
            "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips",
            failed=0,
            skipped=0,
            errors=0,
            total=0,
        ),
    ),
    (
        "minitest",
        "minitest/passed",
        passed(
            "2 runs, 2 assertions, 0 failures, 0 errors, 0 skips",
            failed=0,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/passed_rake",
        passed(
            "2 runs, 2 assertions, 0 failures, 0 errors, 0 skips",
            failed=0,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/passed_tail",
        passed(
            "2 runs, 2 assertions, 0 failures, 0 errors, 0 skips",
            failed=0,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/passed_verbose",
        passed(
            "2 runs, 2 assertions, 0 failures, 0 errors, 0 skips",
            failed=0,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/rake_no_rakefile",
        failed("No Rakefile found (looking for: rakefile, Rakefile, rakefile.rb, Rakefile.rb)"),
    ),
    (
        "minitest",
        "minitest/rake_unknown_task",
        failed(
            "Don't know how to build task 'tset' (See the list of available tasks with "
            "`rake --tasks`)"
        ),
    ),
    (
        "minitest",
        "minitest/skipped",
        passed(
            "3 runs, 2 assertions, 0 failures, 0 errors, 1 skips",
            failed=0,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "minitest",
        "minitest/test_unit_failed",
        failed(
            (
                "2 tests, 2 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 "
                "notifications"
            ),
            failed=1,
            skipped=0,
            errors=0,
            total=2,
        ),
    ),
    (
        "minitest",
        "minitest/test_unit_passed",
        passed(
            (
                "1 tests, 1 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 "
                "notifications"
            ),
            failed=0,
            skipped=0,
            errors=0,
            total=1,
        ),
    ),
    (
        "rubocop",
        "rubocop/bad_config",
        failed(
            "Error: RuboCop found unknown Ruby version 9.9 in `TargetRubyVersion` "
            "parameter (in .rubocop.yml)."
        ),
    ),
    (
        "rubocop",
        "rubocop/corrected",
        passed("2 files inspected, 2 offenses detected, 2 offenses corrected", errors=0, total=2),
    ),
    (
        "rubocop",
        "rubocop/corrected_all",
        passed("1 file inspected, 3 offenses detected, 3 offenses corrected", errors=0, total=1),
    ),
    (
        "rubocop",
        "rubocop/emacs",
        failed(
            "/home/dev/gem/test/add_unit.rb:1:1: C: [Correctable] "
            "Style/FrozenStringLiteralComment: Missing frozen string literal comment."
        ),
    ),
    (
        "rubocop",
        "rubocop/failed",
        failed(
            "5 files inspected, 1 offense detected, 1 offense autocorrectable", errors=1, total=5
        ),
    ),
    (
        "rubocop",
        "rubocop/failed_colours",
        failed(
            "5 files inspected, 1 offense detected, 1 offense autocorrectable", errors=1, total=5
        ),
    ),
    (
        "rubocop",
        "rubocop/failed_tail",
        failed(
            "5 files inspected, 1 offense detected, 1 offense autocorrectable", errors=1, total=5
        ),
    ),
    (
        "rubocop",
        "rubocop/no_files",
        unknown("0 files inspected, no offenses detected", errors=0, total=0),
    ),
    (
        "rubocop",
        "rubocop/passed",
        passed("1 file inspected, no offenses detected", errors=0, total=1),
    ),
    ("rubocop", "rubocop/quiet", None),
    (
        "rubocop",
        "rubocop/simple",
        failed(
            "3 files inspected, 2 offenses detected, 2 offenses autocorrectable", errors=2, total=3
        ),
    ),
    (
        "rubocop",
        "rubocop/syntax_error",
        failed("1 file inspected, 1 offense detected", errors=1, total=1),
    ),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["minitest", "phpunit", "rspec", "rubocop"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
