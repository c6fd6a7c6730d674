"""Runs hidden behind scripts and make targets are recognised by what they print."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import PASSED, UNKNOWN
from groundwire.evidence.runs.outputs import PARSERS, SIGNS, parse_output, recognise
from tests.evidence.runs.outputs import (
    test_javascript_checks,
    test_javascript_tests,
    test_python_checks,
    test_python_tests,
)
from tests.evidence.runs.outputs.fixture import Row, read

ROWS: list[Row] = [
    *test_python_tests.ROWS,
    *test_python_checks.ROWS,
    *test_javascript_tests.ROWS,
    *test_javascript_checks.ROWS,
]
#: Outputs in which another tool is named; it ran inside, or its lines are the same.
INNER = {
    "nox": ("pytest", "python"),
    "tox": ("pytest",),
    "npm": ("jest", "node_test"),
    "mocha": ("node_test",),
    "unittest": ("python",),
    "pip": ("npm",),
    "vitest": ("node",),
    "flake8": ("python",),
    "black": ("ruff",),
    "ruff": ("black",),
}


@pytest.mark.parametrize(("tool", "case", "expected"), ROWS)
def test_no_recorded_output_is_taken_for_another_result(
    tool: str, case: str, expected: object
) -> None:
    found = recognise(read(tool, case))
    if found is not None:
        name, outcome = found
        assert name == tool or name in INNER.get(tool, ())
        own = parse_output(tool, read(tool, case))
        assert own is None or own.status in (outcome.status, UNKNOWN)


@pytest.mark.parametrize(
    ("tool", "case"),
    [
        ("pytest", "passed"),
        ("pytest", "passed_quiet"),
        ("pytest", "failed_tail"),
        ("pytest", "collection_error"),
        ("pytest", "nothing_ran"),
        ("pytest", "coverage_too_low"),
        ("unittest", "passed_tail"),
        ("unittest", "django_failed"),
        ("tox", "passed_tail"),
        ("nox", "failed_tail"),
        ("python", "crashed"),
        ("python", "caught"),
        ("ruff", "failed"),
        ("ruff", "format_check_failed"),
        ("black", "failed"),
        ("mypy", "passed"),
        ("mypy", "syntax_error"),
        ("pyright", "failed"),
        ("pre-commit", "failed"),
        ("pre-commit", "passed"),
        ("pip", "no_such_version"),
        ("jest", "suite_failed"),
        ("vitest", "unhandled_error"),
        ("mocha", "failed"),
        ("node_test", "passed_spec"),
        ("node_test", "failed_tap"),
        ("playwright", "failed"),
        ("playwright", "failed_tail"),
        ("playwright", "passed_tail"),
        ("node", "rejected"),
        ("tsc", "failed_tail"),
        ("tsc", "failed_pretty_tail"),
        ("eslint", "failed"),
        ("biome", "failed"),
        ("prettier", "failed"),
        ("prettier", "syntax_error"),
        ("npm", "script_missing"),
        ("npm", "tool_missing"),
        ("npm", "pnpm_script_failed"),
    ],
)
def test_recognised(tool: str, case: str) -> None:
    assert recognise(read(tool, case)) == (tool, parse_output(tool, read(tool, case)))


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


def test_signs_have_parsers() -> None:
    assert set(SIGNS) <= set(PARSERS)


def test_parsers_are_sorted() -> None:
    assert list(PARSERS) == sorted(PARSERS)


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
