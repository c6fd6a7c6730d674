"""Real outputs of cargo and nextest."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    (
        "cargo build",
        "cargo/build_failed",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    (
        "cargo build",
        "cargo/build_failed_short",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    (
        "cargo build",
        "cargo/build_failed_tail",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    (
        "cargo build",
        "cargo/build_passed",
        passed("Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.22s"),
    ),
    # the line that counts the warnings
    (
        "cargo build",
        "cargo/build_warnings",
        passed(
            'warning: `ledger` (bin "ledger") generated 1 warning (run `cargo fix --bin '
            '"ledger" -p ledger` to apply 1 suggestion)'
        ),
    ),
    (
        "cargo check",
        "cargo/check_passed",
        passed("Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.15s"),
    ),
    (
        "cargo clippy",
        "cargo/clippy_denied",
        failed(
            'error: could not compile `ledger` (bin "ledger" test) due to 2 previous errors',
            errors=2,
        ),
    ),
    (
        "cargo clippy",
        "cargo/clippy_denied_tail",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 2 previous errors', errors=2
        ),
    ),
    (
        "cargo clippy",
        "cargo/clippy_passed",
        passed("Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.26s"),
    ),
    (
        "cargo clippy",
        "cargo/clippy_warnings",
        passed(
            'warning: `ledger` (bin "ledger") generated 2 warnings (run `cargo clippy '
            '--fix --bin "ledger" -p ledger -- ` to apply 2 suggestions)'
        ),
    ),
    (
        "cargo test",
        "cargo/doc_test_failed",
        failed(
            (
                "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered "
                "out; finished in 0.07s"
            ),
            passed=0,
            failed=1,
            skipped=0,
        ),
    ),
    (
        "nextest",
        "cargo/nextest_build_failed",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    (
        "nextest",
        "cargo/nextest_crashed",
        failed(
            "Summary [   0.005s] 2 tests run: 1 passed, 1 failed, 1 skipped",
            passed=1,
            failed=1,
            skipped=1,
            total=2,
        ),
    ),
    (
        "nextest",
        "cargo/nextest_failed",
        failed(
            "Summary [   0.009s] 3 tests run: 2 passed, 1 failed, 1 skipped",
            passed=2,
            failed=1,
            skipped=1,
            total=3,
        ),
    ),
    # stopped at the first failure: 2 of 3
    (
        "nextest",
        "cargo/nextest_failed_fast",
        failed(
            "Summary [   0.010s] 2/3 tests run: 1 passed, 1 failed, 1 skipped",
            passed=1,
            failed=1,
            skipped=1,
            total=3,
        ),
    ),
    (
        "nextest",
        "cargo/nextest_failed_tail",
        failed(
            "Summary [   0.081s] 3 tests run: 2 passed, 1 failed, 1 skipped",
            passed=2,
            failed=1,
            skipped=1,
            total=3,
        ),
    ),
    ("nextest", "cargo/nextest_flags", failed("error: unexpected argument '--no-such-flag' found")),
    (
        "nextest",
        "cargo/nextest_nothing_ran",
        unknown("Summary [   0.000s] 0 tests run: 0 passed, 4 skipped", skipped=4, total=0),
    ),
    (
        "nextest",
        "cargo/nextest_passed",
        passed(
            "Summary [   0.009s] 3 tests run: 3 passed, 1 skipped", passed=3, skipped=1, total=3
        ),
    ),
    (
        "cargo build",
        "cargo/no_manifest",
        failed("error: could not find `Cargo.toml` in `/home/dev` or any parent directory"),
    ),
    ("cargo build", "cargo/run_passed", None),
    (
        "cargo test",
        "cargo/test_build_failed",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    # a test aborted the program: no result line
    ("cargo test", "cargo/test_crashed", failed("error: test failed, to rerun pass `--lib`")),
    (
        "cargo test",
        "cargo/test_failed",
        failed(
            (
                "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered "
                "out; finished in 0.00s"
            ),
            passed=1,
            failed=1,
            skipped=1,
        ),
    ),
    (
        "cargo test",
        "cargo/test_failed_colours",
        failed(
            (
                "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered "
                "out; finished in 0.00s"
            ),
            passed=1,
            failed=1,
            skipped=1,
        ),
    ),
    # no summary, but a test that failed
    ("cargo test", "cargo/test_failed_head", failed("test tests::empty_is_zero ... FAILED")),
    (
        "cargo test",
        "cargo/test_failed_no_fail_fast",
        failed(
            (
                "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered "
                "out; finished in 0.00s"
            ),
            passed=3,
            failed=1,
            skipped=1,
        ),
    ),
    (
        "cargo test",
        "cargo/test_failed_tail",
        failed(
            (
                "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered "
                "out; finished in 0.07s"
            ),
            passed=1,
            failed=1,
            skipped=1,
        ),
    ),
    # a filter that matches no test
    (
        "cargo test",
        "cargo/test_none_matched",
        unknown(
            (
                "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out; "
                "finished in 0.00s"
            ),
            skipped=0,
            total=0,
        ),
    ),
    (
        "cargo test",
        "cargo/test_only_lib",
        passed(
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; "
                "finished in 0.00s"
            ),
            passed=1,
            failed=0,
            skipped=0,
        ),
    ),
    # four test programs: the sum of their counts
    (
        "cargo test",
        "cargo/test_passed",
        passed(
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; "
                "finished in 0.18s"
            ),
            passed=4,
            failed=0,
            skipped=1,
        ),
    ),
    (
        "cargo test",
        "cargo/test_passed_colours",
        passed(
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; "
                "finished in 0.13s"
            ),
            passed=4,
            failed=0,
            skipped=1,
        ),
    ),
    # the last program alone
    (
        "cargo test",
        "cargo/test_passed_tail",
        passed(
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; "
                "finished in 0.16s"
            ),
            passed=1,
            failed=0,
            skipped=0,
        ),
    ),
    (
        "cargo test",
        "cargo/test_quiet",
        passed(
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; "
                "finished in 0.16s"
            ),
            passed=4,
            failed=0,
            skipped=1,
        ),
    ),
    ("cargo build", "cargo/unknown_command", failed("error: no such command: `tset`")),
    ("cargo clippy", "cargo/test_failed", None),
    ("cargo build", "cargo/test_failed_tail", None),
    (
        "cargo build",
        "cargo/test_build_failed",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    (
        "cargo test",
        "cargo/build_failed",
        failed(
            'error: could not compile `ledger` (bin "ledger") due to 1 previous error', errors=1
        ),
    ),
    ("cargo test", "cargo/build_passed", None),
    ("cargo build", "exit_marks/cargo_run", None),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["cargo"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
