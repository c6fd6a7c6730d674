"""Real outputs of go, gotestsum and golangci-lint (this one in the form of its documentation)."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    ("go test", "go/bench", passed("ok  \texample.com/shop/price\t1.259s")),
    ("go build", "go/build_failed", failed("cart/cart.go:11:9: undefined: zero")),
    (
        "go build",
        "go/build_missing_import",
        failed(
            "x/x.go:3:8: cannot find module providing package github.com/pkg/errors: "
            "module lookup disabled by GOPROXY=off"
        ),
    ),
    # names of packages, no verdict
    ("go build", "go/build_verbose_passed", None),
    (
        "gotestsum",
        "go/gotestsum_build_failed",
        failed("DONE 1 tests, 2 failures in 0.294s", failed=2, total=1),
    ),
    (
        "gotestsum",
        "go/gotestsum_failed",
        failed("DONE 6 tests, 1 failure in 0.540s", failed=1, total=6),
    ),
    (
        "gotestsum",
        "go/gotestsum_failed_colours",
        failed("DONE 6 tests, 1 failure in 0.522s", failed=1, total=6),
    ),
    (
        "gotestsum",
        "go/gotestsum_failed_tail",
        failed("DONE 6 tests, 1 failure in 0.410s", failed=1, total=6),
    ),
    ("gotestsum", "go/gotestsum_nothing_ran", unknown("DONE 0 tests in 0.598s", total=0)),
    ("gotestsum", "go/gotestsum_passed", passed("DONE 6 tests in 0.477s", total=6)),
    ("gotestsum", "go/gotestsum_passed_testname", passed("DONE 6 tests in 0.638s", total=6)),
    ("go test", "go/test_build_failed", failed("FAIL\texample.com/shop/cart [build failed]")),
    # a cached result is a result
    ("go test", "go/test_cached_tail", passed("ok  \texample.com/shop/price\t(cached)")),
    # a package without tests has a line of its own with -cover
    (
        "go test",
        "go/test_cover",
        passed("ok  \texample.com/shop/price\t0.003s\tcoverage: 100.0% of statements"),
    ),
    ("go test", "go/test_failed", failed("--- FAIL: TestFormat (0.00s)")),
    ("go test", "go/test_failed_tail", failed("--- FAIL: TestFormat (0.00s)")),
    # -json: the event of a test or package that failed
    (
        "go test",
        "go/test_json",
        failed(
            '{"Time":"2026-11-21T09:44:51.662666669Z","Action":"fail","Package":"example.co'
            'm/shop/cart","Test":"TestSum/one","Elapsed":0}'
        ),
    ),
    # TestMain ended the program
    ("go test", "go/test_main_exit", failed("FAIL\texample.com/shop/x\t0.002s")),
    ("go test", "go/test_no_module", failed("FAIL\t./... [setup failed]")),
    # nothing ran
    (
        "go test",
        "go/test_no_test_files",
        unknown("?   \texample.com/shop/cmd/shop\t[no test files]", total=0),
    ),
    (
        "go test",
        "go/test_no_tests_to_run",
        unknown("ok  \texample.com/shop/price\t0.003s [no tests to run]", total=0),
    ),
    ("go test", "go/test_panicked", failed("--- FAIL: TestSum (0.00s)")),
    ("go test", "go/test_passed", passed("ok  \texample.com/shop/price\t(cached)")),
    ("go test", "go/test_pattern_missing", failed("FAIL\t./missing/... [setup failed]")),
    (
        "go test",
        "go/test_race",
        failed("go: -race requires cgo; enable cgo by setting CGO_ENABLED=1"),
    ),
    ("go test", "go/test_subtests_failed", failed("--- FAIL: TestSum (0.00s)")),
    ("go test", "go/test_timed_out", failed("panic: test timed out after 2s")),
    ("go test", "go/test_verbose_failed", failed("--- FAIL: TestFormat (0.00s)")),
    ("go test", "go/test_verbose_passed", passed("ok  \texample.com/shop/price\t0.002s")),
    ("go test", "go/test_verbose_skipped", passed("ok  \texample.com/shop/cart\t0.002s")),
    ("go test", "go/test_vet_failed", failed("FAIL\texample.com/shop/cart [build failed]")),
    ("go vet", "go/vet_build_failed", failed("cart/cart.go:11:9: undefined: zero")),
    (
        "go vet",
        "go/vet_failed",
        failed("cart/print.go:7:14: fmt.Printf format %s has arg Total(items) of wrong type int"),
    ),
    ("go build", "go/test_build_failed", failed("cart/cart.go:11:9: undefined: zero")),
    ("go build", "go/test_failed", None),
    ("go vet", "go/test_passed", None),
    (
        "go vet",
        "go/test_vet_failed",
        failed("cart/print.go:7:14: fmt.Printf format %s has arg Total(items) of wrong type int"),
    ),
    ("go test", "go/build_failed", failed("cart/cart.go:11:9: undefined: zero")),
    ("golangci-lint", "golangci-lint/failed", failed("2 issues:", errors=2)),
    ("golangci-lint", "golangci-lint/failed_colours", failed("1 issues:", errors=1)),
    ("golangci-lint", "golangci-lint/failed_tail", failed("2 issues:", errors=2)),
    (
        "golangci-lint",
        "golangci-lint/failed_v1",
        failed(
            "cart/cart.go:12:16: Error return value of `fmt.Fprintln` is not checked (errcheck)"
        ),
    ),
    (
        "golangci-lint",
        "golangci-lint/not_loaded",
        failed(
            "ERRO Running error: context loading failed: failed to load program with "
            "go/packages: go [list -e -json -compiled -test=true -export=false -deps=false "
            "-find=false -- ./cart]"
        ),
    ),
    (
        "golangci-lint",
        "golangci-lint/nothing_to_check",
        unknown("ERRO Running error: context loading failed: no go files to analyze", total=0),
    ),
    ("golangci-lint", "golangci-lint/passed", passed("0 issues.", errors=0)),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["go", "golangci-lint"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
