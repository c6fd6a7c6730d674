"""Real ends of programs that have no parser of their own."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read

ROWS: list[Row] = [
    ("*", "exit_marks/aborted", failed("bash: line 1: 25238 Aborted                 ./aborts")),
    ("*", "exit_marks/cargo_run", failed("thread 'main' (32397) panicked at src/main.rs:2:75:")),
    ("*", "exit_marks/command_not_found", failed("bash: line 1: nosuchtool: command not found")),
    (
        "*",
        "exit_marks/cpp_exception",
        failed("terminate called after throwing an instance of 'std::runtime_error'"),
    ),
    ("*", "exit_marks/double_free", failed("free(): double free detected in tcache 2")),
    ("*", "exit_marks/echo_status", failed("exit status 1")),
    ("*", "exit_marks/go_panic", failed("panic: assignment to entry in nil map")),
    ("*", "exit_marks/go_run", failed("exit status 3")),
    (
        "*",
        "exit_marks/java_exception",
        failed(
            'Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 2 '
            "out of bounds for length 1"
        ),
    ),
    (
        "*",
        "exit_marks/just_failed",
        failed("error: recipe `test` failed on line 3 with exit code 3"),
    ),
    # no mark
    ("*", "exit_marks/just_passed", None),
    ("*", "exit_marks/just_unknown", failed("error: justfile does not contain recipe `tset`")),
    (
        "*",
        "exit_marks/killed",
        failed('bash: line 1: 25246 Killed                  bash -c "kill -9 \\$\\$"'),
    ),
    ("*", "exit_marks/not_executable", failed("bash: line 1: ./plain.sh: Permission denied")),
    # any text can be the last one
    ("*", "exit_marks/perl_died", None),
    (
        "*",
        "exit_marks/php_fatal",
        failed("PHP Fatal error:  Uncaught Exception: no config in /home/dev/tools/p.php:2"),
    ),
    ("*", "exit_marks/ruby_exception", failed("r.rb:2:in `load': no config (RuntimeError)")),
    (
        "*",
        "exit_marks/script_missing",
        failed("bash: line 1: ./missing.sh: No such file or directory"),
    ),
    (
        "*",
        "exit_marks/segmentation_fault",
        failed("bash: line 1: 25230 Segmentation fault      ./crash"),
    ),
    ("*", "exit_marks/sh_not_found", failed("sh: 1: nosuchtool: not found")),
    ("*", "exit_marks/task_failed", failed('task: Failed to run task "test": exit status 3')),
    (
        "*",
        "exit_marks/task_unknown",
        failed('task: Task "tset" does not exist. Did you mean "test"?'),
    ),
    ("*", "exit_marks/timeout", failed("timeout: sending signal TERM to command ‘sleep’")),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["exit_marks"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}


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
