"""Real outputs of Maven and Gradle."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read

ROWS: list[Row] = [
    (
        "maven",
        "maven/bad_pom",
        failed("[ERROR] [ERROR] Some problems were encountered while processing the POMs:"),
    ),
    (
        "maven",
        "maven/compile_failed",
        failed(
            "[ERROR] /home/dev/billing/src/main/java/com/example/Invoice.java:[7,58] "
            "cannot find symbol"
        ),
    ),
    ("maven", "maven/compile_passed", passed("[INFO] BUILD SUCCESS")),
    # the tests ended the virtual machine
    (
        "maven",
        "maven/crashed",
        failed(
            (
                "[ERROR] Failed to execute goal "
                "org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on "
                "project billing:"
            ),
            failed=0,
            skipped=0,
            errors=0,
            total=0,
        ),
    ),
    # BUILD SUCCESS in spite of failures
    (
        "maven",
        "maven/failures_ignored",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/no_pom",
        failed(
            "[ERROR] The goal you specified requires a project to execute but there is no "
            "POM in this directory (/home/dev). Please verify you invoked Maven from the "
            "correct directory. -> [Help 1]"
        ),
    ),
    (
        "maven",
        "maven/no_tests_matched",
        failed(
            "[ERROR] Failed to execute goal "
            "org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on "
            'project billing: No tests matching pattern "NoSuchTest" were executed! (Set '
            "-Dsurefire.failIf"
        ),
    ),
    (
        "maven",
        "maven/one_test",
        passed(
            "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0",
            failed=0,
            skipped=0,
            errors=0,
            total=1,
        ),
    ),
    (
        "maven",
        "maven/quiet_failed",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    # silent
    ("maven", "maven/quiet_passed", None),
    (
        "maven",
        "maven/reactor_failed",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/reactor_failed_at_end",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=2,
            errors=0,
            total=6,
        ),
    ),
    # two modules
    (
        "maven",
        "maven/reactor_passed",
        passed(
            "[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1",
            failed=0,
            skipped=2,
            errors=0,
            total=6,
        ),
    ),
    # BUILD SUCCESS without a test
    ("maven", "maven/skip_tests", passed("[INFO] BUILD SUCCESS", total=0)),
    (
        "maven",
        "maven/test_error",
        failed(
            "[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 1",
            failed=1,
            skipped=1,
            errors=1,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/test_failed",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/test_failed_colours",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/test_failed_grep",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/test_failed_grep_runs",
        failed(
            "[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 1",
            failed=2,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    # only the name of the exception is left
    (
        "maven",
        "maven/test_failed_tail",
        failed(
            "[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoFailureException"
        ),
    ),
    (
        "maven",
        "maven/test_passed",
        passed(
            "[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1",
            failed=0,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    (
        "maven",
        "maven/test_passed_colours",
        passed(
            "[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1",
            failed=0,
            skipped=1,
            errors=0,
            total=3,
        ),
    ),
    # the last five lines say neither success nor failure
    ("maven", "maven/test_passed_tail", None),
    (
        "maven",
        "maven/unknown_goal",
        failed(
            '[ERROR] Unknown lifecycle phase "tset". You must specify a valid lifecycle '
            "phase or a goal in the format <plugin-prefix>:<goal> or "
            "<plugin-group-id>:<plugin-artifact-id>[:<plugin-version>]:<goal>. Ava"
        ),
    ),
    ("gradle", "gradle/broken_script", failed("> startup failed:")),
    ("gradle", "gradle/build_passed", passed("BUILD SUCCESSFUL in 3s")),
    ("gradle", "gradle/build_passed_colours", passed("BUILD SUCCESSFUL in 5s")),
    (
        "gradle",
        "gradle/compile_failed",
        failed("> Compilation failed; see the compiler error output for details."),
    ),
    # BUILD SUCCESSFUL in spite of failures
    (
        "gradle",
        "gradle/failures_ignored",
        failed("14 tests completed, 1 failed", failed=1, total=14),
    ),
    # the project has no tests
    ("gradle", "gradle/no_source", passed("BUILD SUCCESSFUL in 2s", total=0)),
    # the same
    ("gradle", "gradle/no_source_build", passed("BUILD SUCCESSFUL in 2s", total=0)),
    (
        "gradle",
        "gradle/no_tests_matched",
        failed("> No tests found for given includes: [NoSuchTest](--tests filter)"),
    ),
    (
        "gradle",
        "gradle/test_failed",
        failed("3 tests completed, 1 failed, 1 skipped", failed=1, skipped=1, total=3),
    ),
    ("gradle", "gradle/test_failed_8", failed("3 tests completed, 1 failed", failed=1, total=3)),
    (
        "gradle",
        "gradle/test_failed_colours",
        failed("3 tests completed, 1 failed, 1 skipped", failed=1, skipped=1, total=3),
    ),
    (
        "gradle",
        "gradle/test_failed_quiet",
        failed("3 tests completed, 1 failed, 1 skipped", failed=1, skipped=1, total=3),
    ),
    ("gradle", "gradle/test_failed_tail", failed("BUILD FAILED in 3s")),
    ("gradle", "gradle/test_logged", passed("BUILD SUCCESSFUL in 3s")),
    # no counts when all is well
    ("gradle", "gradle/test_passed", passed("BUILD SUCCESSFUL in 6s")),
    (
        "gradle",
        "gradle/unknown_task",
        failed("Task 'tset' not found in root project 'parking'. Some candidates are: 'test'."),
    ),
    ("gradle", "gradle/up_to_date", passed("BUILD SUCCESSFUL in 3s")),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["gradle", "maven"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
