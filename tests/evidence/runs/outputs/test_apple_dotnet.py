"""Outputs of swift, xcodebuild and dotnet, in the form of their documentation and sources."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    (
        "swift build",
        "swift/build_crashed",
        failed("error: emit-module command failed due to signal 11 (use -v to see invocation)"),
    ),
    (
        "swift build",
        "swift/build_failed",
        failed(
            "/home/dev/basket/Sources/Basket/Basket.swift:61:40: error: cannot find "
            "'Price' in scope"
        ),
    ),
    ("swift build", "swift/build_passed", passed("Build complete! (6.77 secs.)")),
    (
        "swift test",
        "swift/test_crashed",
        failed("BasketTests/BasketTests.swift:63: Fatal error: This test is not implemented yet."),
    ),
    # one of the two counted its failures only
    (
        "swift test",
        "swift/test_failed_mixed",
        failed("Executed 2 tests, with 1 failure (0 unexpected) in 0.002 (0.002) seconds", total=4),
    ),
    (
        "swift test",
        "swift/test_failed_symbols",
        failed("Test run with 3 tests failed after 0.001 seconds with 1 issue.", total=3),
    ),
    (
        "swift test",
        "swift/test_failed_tail",
        failed("Test run with 2 tests failed after 0.001 seconds with 1 issue.", total=2),
    ),
    (
        "swift test",
        "swift/test_nothing_ran",
        unknown("Test run with 0 tests in 0 suites passed after 0.001 seconds.", total=0),
    ),
    (
        "swift test",
        "swift/test_passed_swift_testing",
        passed("Test run with 3 tests passed after 0.001 seconds.", total=3),
    ),
    # no test of Swift Testing beside those of XCTest
    (
        "swift test",
        "swift/test_passed_xctest",
        passed(
            "Executed 2 tests, with 0 failures (0 unexpected) in 0.002 (0.002) seconds",
            failed=0,
            total=2,
        ),
    ),
    (
        "swift test",
        "swift/build_failed",
        failed(
            "/home/dev/basket/Sources/Basket/Basket.swift:61:40: error: cannot find "
            "'Price' in scope"
        ),
    ),
    ("swift test", "swift/build_passed", None),
    # one of the two counted its failures only
    ("swift build", "swift/test_failed_mixed", None),
    ("swift build", "swift/test_nothing_ran", None),
    ("xcodebuild", "xcodebuild/archive_failed", failed("** ARCHIVE FAILED **")),
    ("xcodebuild", "xcodebuild/build_failed", failed("** BUILD FAILED **")),
    ("xcodebuild", "xcodebuild/build_passed", passed("** BUILD SUCCEEDED **")),
    (
        "xcodebuild",
        "xcodebuild/test_failed",
        failed(
            "Executed 2 tests, with 1 failure (0 unexpected) in 0.055 (0.057) seconds",
            failed=1,
            total=2,
        ),
    ),
    # parallel tests have no summary
    (
        "xcodebuild",
        "xcodebuild/test_failed_parallel",
        failed(
            "Test case 'ShelfTests.testOrder()' failed on 'Clone 1 of iPhone 13 mini - "
            "xctest (59522)' (0.278 seconds)"
        ),
    ),
    (
        "xcodebuild",
        "xcodebuild/test_nothing_ran",
        unknown(
            "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.006) seconds",
            failed=0,
            total=0,
        ),
    ),
    (
        "xcodebuild",
        "xcodebuild/test_passed",
        passed(
            "Executed 6 tests, with 0 failures (0 unexpected) in 0.055 (0.057) seconds",
            failed=0,
            total=6,
        ),
    ),
    (
        "xcodebuild",
        "xcodebuild/test_passed_tail",
        passed(
            "Executed 6 tests, with 0 failures (0 unexpected) in 0.055 (0.057) seconds",
            failed=0,
            total=6,
        ),
    ),
    (
        "dotnet build",
        "dotnet/build_failed",
        failed(
            (
                "/home/dev/Basket/Basket.cs(104,157): error CS0103: The name 'total' does not "
                "exist in the current context [/home/dev/Basket/Basket.csproj]"
            ),
            errors=1,
        ),
    ),
    (
        "dotnet build",
        "dotnet/build_failed_tail",
        failed(
            (
                "/home/dev/Basket/Basket.cs(104,157): error CS0103: The name 'total' does not "
                "exist in the current context [/home/dev/Basket/Basket.csproj]"
            ),
            errors=1,
        ),
    ),
    ("dotnet build", "dotnet/build_passed", passed("Build succeeded.", errors=0)),
    (
        "dotnet build",
        "dotnet/build_terminal_failed",
        failed(
            (
                "/home/dev/Basket/Basket.cs(11,1): error CS0103: The name 'total' does not "
                "exist in the current context"
            ),
            errors=1,
        ),
    ),
    ("dotnet build", "dotnet/build_terminal_passed", passed("Build succeeded in 106.4s")),
    (
        "dotnet test",
        "dotnet/test_failed",
        failed(
            (
                "Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, "
                "Duration: 12 ms - Basket.Tests.dll (net8.0)"
            ),
            passed=2,
            failed=1,
            skipped=1,
            total=4,
        ),
    ),
    (
        "dotnet test",
        "dotnet/test_failed_tail",
        failed("Test Run Failed.", passed=2, failed=1, total=3),
    ),
    # the sum of both projects
    (
        "dotnet test",
        "dotnet/test_failed_two_projects",
        failed(
            (
                "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, "
                "Duration: 12 ms - Basket.Tests.dll (net8.0)"
            ),
            passed=6,
            failed=1,
            skipped=0,
            total=7,
        ),
    ),
    (
        "dotnet test",
        "dotnet/test_failed_verbose",
        failed("Test Run Failed.", passed=2, failed=1, total=3),
    ),
    (
        "dotnet test",
        "dotnet/test_nothing_available",
        unknown(
            (
                "No test is available in "
                "/home/dev/Basket.Tests/bin/Debug/net8.0/Basket.Tests.dll. Make sure that "
                "installed test discoverers & executors, platform & framework version settings "
                "are appropriate and try a"
            ),
            total=0,
        ),
    ),
    (
        "dotnet test",
        "dotnet/test_passed",
        passed(
            (
                "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, "
                "Duration: 3 ms - Basket.Tests.dll (net8.0)"
            ),
            passed=3,
            failed=0,
            skipped=0,
            total=3,
        ),
    ),
    (
        "dotnet test",
        "dotnet/test_passed_verbose",
        passed("Test Run Successful.", passed=3, total=3),
    ),
    (
        "dotnet test",
        "dotnet/test_platform_failed",
        failed("Test run summary: Failed!", passed=9, failed=2, skipped=1, total=12),
    ),
    (
        "dotnet test",
        "dotnet/test_platform_nothing_ran",
        unknown("Test run summary: Zero tests ran", passed=0, failed=0, skipped=0, total=0),
    ),
    (
        "dotnet test",
        "dotnet/test_skipped",
        unknown(
            (
                "Skipped! - Failed:     0, Passed:     0, Skipped:     1, Total:     1, "
                "Duration: < 1 ms - Basket.Tests.dll (net8.0)"
            ),
            passed=0,
            failed=0,
            skipped=1,
            total=1,
        ),
    ),
    (
        "dotnet test",
        "dotnet/test_terminal_failed",
        failed(
            "Test summary: total: 5, failed: 1, succeeded: 3, skipped: 1, duration: 0.2s",
            passed=3,
            failed=1,
            skipped=1,
            total=5,
        ),
    ),
    # no test, and the build says failed
    (
        "dotnet test",
        "dotnet/test_terminal_nothing_ran",
        failed(
            "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 0.2s",
            passed=0,
            failed=0,
            skipped=0,
            total=0,
        ),
    ),
    (
        "dotnet test",
        "dotnet/test_terminal_passed",
        passed(
            "Test summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 0.2s",
            passed=5,
            failed=0,
            skipped=0,
            total=5,
        ),
    ),
    (
        "dotnet test",
        "dotnet/build_failed",
        failed(
            (
                "/home/dev/Basket/Basket.cs(104,157): error CS0103: The name 'total' does not "
                "exist in the current context [/home/dev/Basket/Basket.csproj]"
            ),
            errors=1,
        ),
    ),
    ("dotnet test", "dotnet/build_passed", None),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["dotnet", "swift", "xcodebuild"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
