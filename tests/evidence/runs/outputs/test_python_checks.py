"""Real outputs of linters, formatters, type checkers and installers of Python."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, failed, missing_rows, passed, read, unknown

ROWS: list[Row] = [
    # no error is left
    ("ruff", "all_fixed", passed("Found 1 error (1 fixed, 0 remaining).", errors=0)),
    # two runs in one output
    (
        "ruff",
        "check_then_format",
        failed("1 file would be reformatted, 1 file already formatted", passed=1, failed=1),
    ),
    ("ruff", "config_error", failed("ruff failed")),
    ("ruff", "failed", failed("Found 4 errors.", errors=4)),
    ("ruff", "failed_colours", failed("Found 4 errors.", errors=4)),
    ("ruff", "failed_concise_tail", failed("Found 4 errors.", errors=4)),
    (
        "ruff",
        "failed_quiet",
        failed("bad.py:1:1: I001 [*] Import block is un-sorted or un-formatted"),
    ),
    ("ruff", "failed_statistics", failed("Found 4 errors.", errors=4)),
    (
        "ruff",
        "format_check_failed",
        failed("2 files would be reformatted, 1 file already formatted", passed=1, failed=2),
    ),
    ("ruff", "format_check_passed", passed("1 file already formatted", passed=1)),
    ("ruff", "format_diff_failed", failed("1 file would be reformatted", failed=1)),
    # the summary speaks of the other file only
    (
        "ruff",
        "format_syntax_error",
        failed("invalid-syntax: Expected a parameter or the end of the parameter list", passed=1),
    ),
    ("ruff", "format_unchanged", passed("1 file left unchanged", passed=1)),
    ("ruff", "formatted", passed("1 file reformatted, 1 file left unchanged", passed=1)),
    # it prints "All checks passed!" all the same
    (
        "ruff",
        "nothing_ran",
        unknown("warning: No Python files found under the given path(s)", total=0),
    ),
    ("ruff", "passed", passed("All checks passed!")),
    ("ruff", "path_missing", failed("Found 1 error.", errors=1)),
    ("ruff", "some_fixed", failed("Found 3 errors (2 fixed, 1 remaining).", errors=1)),
    ("ruff", "syntax_error", failed("Found 2 errors.", errors=2)),
    ("ruff", "unknown_option", failed("error: unexpected argument '--nosuch' found")),
    (
        "black",
        "failed",
        failed("1 file would be reformatted, 1 file would be left unchanged.", passed=1, failed=1),
    ),
    (
        "black",
        "failed_colours",
        failed("1 file would be reformatted, 1 file would be left unchanged.", passed=1, failed=1),
    ),
    (
        "black",
        "failed_tail",
        failed("1 file would be reformatted, 1 file would be left unchanged.", passed=1, failed=1),
    ),
    ("black", "formatted", passed("1 file reformatted, 1 file left unchanged.", passed=1)),
    ("black", "no_paths", None),  # only a usage line
    (
        "black",
        "nothing_ran",
        unknown("No Python files are present to be formatted. Nothing to do 😴", total=0),
    ),
    ("black", "passed", passed("1 file would be left unchanged.", passed=1)),
    (
        "black",
        "path_missing",
        failed("Error: Invalid value for 'SRC ...': Path 'nosuch.py' does not exist."),
    ),
    (
        "black",
        "syntax_error",
        failed(
            "1 file would be left unchanged, 1 file would fail to reformat.", passed=1, errors=1
        ),
    ),
    (
        "flake8",
        "config_error",
        failed(
            "ValueError: Error code '#' supplied to 'extend-ignore' option does not match "
            "'^[A-Z]{1,3}[0-9]{0,3}$'"
        ),
    ),
    ("flake8", "failed", failed("bad.py:1:1: F401 'os' imported but unused")),
    ("flake8", "failed_colours", failed("bad.py:1:1: F401 'os' imported but unused")),
    ("flake8", "failed_count", failed("bad.py:1:1: F401 'os' imported but unused", errors=5)),
    (
        "flake8",
        "failed_tail",
        failed("bad.py:5:5: F841 local variable 'unused' is assigned to but never used"),
    ),
    ("flake8", "passed", None),  # silent
    ("flake8", "passed_count", passed("0", errors=0)),
    (
        "flake8",
        "path_missing",
        failed(
            "nosuch.py:0:1: E902 FileNotFoundError: [Errno 2] No such file or directory: "
            "'nosuch.py'"
        ),
    ),
    ("flake8", "syntax_error", failed("syntax.py:1:12: E999 SyntaxError: invalid syntax")),
    ("flake8", "unknown_option", failed("flake8: error: unrecognized arguments: --nosuch")),
    # mypy goes on and exits with 0
    ("mypy", "config_error", passed("Success: no issues found in 1 source file", total=1)),
    (
        "mypy",
        "duplicate_module",
        failed("Found 1 error in 1 file (errors prevented further checking)", errors=1),
    ),
    (
        "mypy",
        "failed",
        failed("Found 2 errors in 1 file (checked 2 source files)", errors=2, total=2),
    ),
    (
        "mypy",
        "failed_colours",
        failed("Found 2 errors in 1 file (checked 1 source file)", errors=2, total=1),
    ),
    (
        "mypy",
        "failed_head",
        failed(
            'bad.py:6: error: Incompatible return value type (got "float | Literal[0]", expected '
            '"str")  [return-value]'
        ),
    ),
    (
        "mypy",
        "failed_tail",
        failed("Found 2 errors in 1 file (checked 1 source file)", errors=2, total=1),
    ),
    (
        "mypy",
        "no_summary",
        failed(
            'bad.py:6: error: Incompatible return value type (got "float | Literal[0]", expected '
            '"str")  [return-value]'
        ),
    ),
    (
        "mypy",
        "no_targets",
        failed("mypy: error: Missing target module, package, files, or command."),
    ),
    ("mypy", "nothing_ran", unknown("There are no .py[i] files in directory 'empty'", total=0)),
    ("mypy", "passed", passed("Success: no issues found in 1 source file", total=1)),
    (
        "mypy",
        "path_missing",
        failed("Found 1 error in 1 file (errors prevented further checking)", errors=1),
    ),
    (
        "mypy",
        "syntax_error",
        failed("Found 2 errors in 1 file (errors prevented further checking)", errors=2),
    ),
    ("mypy", "unknown_option", failed("mypy: error: unrecognized arguments: --nosuch")),
    ("pyright", "failed", failed("2 errors, 0 warnings, 0 informations", errors=2)),
    ("pyright", "failed_tail", failed("2 errors, 0 warnings, 0 informations", errors=2)),
    # the same line as for a clean file
    ("pyright", "nothing_ran", passed("0 errors, 0 warnings, 0 informations", errors=0)),
    ("pyright", "passed", passed("0 errors, 0 warnings, 0 informations", errors=0)),
    (
        "pyright",
        "path_missing",
        failed('File or directory "file:///home/dev/lint/nosuch.py" does not exist'),
    ),
    ("pyright", "unknown_option", failed("Unexpected option --nosuch.")),
    ("pyright", "warnings", passed("0 errors, 1 warning, 0 informations", errors=0)),
    (
        "pre-commit",
        "all_skipped",
        unknown(
            "shellcheck...........................................(no files to check)Skipped",
            passed=0,
            failed=0,
            skipped=1,
        ),
    ),
    (
        "pre-commit",
        "commit_allowed",
        passed(
            "ruff format..............................................................Passed",
            passed=2,
            failed=0,
            skipped=0,
        ),
    ),
    (
        "pre-commit",
        "commit_blocked",
        failed(
            "ruff check...............................................................Failed",
            passed=0,
            failed=3,
            skipped=0,
        ),
    ),
    ("pre-commit", "config_error", failed("An error has occurred: InvalidConfigError:")),
    ("pre-commit", "config_missing", failed("An error has occurred: InvalidConfigError:")),
    (
        "pre-commit",
        "failed",
        failed(
            "ruff check...............................................................Failed",
            passed=0,
            failed=2,
            skipped=1,
        ),
    ),
    (
        "pre-commit",
        "failed_colours",
        failed(
            "ruff check...............................................................Failed",
            passed=0,
            failed=2,
            skipped=1,
        ),
    ),
    # "Failed" is cut off, the reason below it is not
    (
        "pre-commit",
        "failed_tail",
        failed("- files were modified by this hook", passed=0, skipped=1),
    ),
    (
        "pre-commit",
        "not_a_repository",
        failed(
            "An error has occurred: FatalError: git failed. Is it installed, and are you in a Git "
            "repository directory?"
        ),
    ),
    (
        "pre-commit",
        "passed",
        passed(
            "shellcheck...........................................(no files to check)Skipped",
            passed=2,
            failed=0,
            skipped=1,
        ),
    ),
    (
        "pre-commit",
        "passed_colours",
        passed(
            "shellcheck...........................................(no files to check)Skipped",
            passed=2,
            failed=0,
            skipped=1,
        ),
    ),
    (
        "pre-commit",
        "passed_tail",
        passed(
            "shellcheck...........................................(no files to check)Skipped",
            passed=1,
            failed=0,
            skipped=1,
        ),
    ),
    # a hook that changes files fails
    (
        "pre-commit",
        "reformatted",
        failed(
            "ruff format..............................................................Failed",
            passed=0,
            failed=1,
            skipped=0,
        ),
    ),
    (
        "pre-commit",
        "tool_missing",
        failed(
            "shellcheck...............................................................Failed",
            passed=0,
            failed=1,
            skipped=0,
        ),
    ),
    ("pre-commit", "unknown_hook", failed("No hook with id `nosuch` in stage `pre-commit`")),
    (
        "pip",
        "already_satisfied",
        passed(
            "Requirement already satisfied: iniconfig in "
            "/home/dev/venv/lib/python3.11/site-packages (2.3.1)"
        ),
    ),
    ("pip", "build_failed", failed("error: subprocess-exited-with-error")),
    ("pip", "externally_managed", failed("error: externally-managed-environment")),
    ("pip", "installed", passed("Successfully installed iniconfig-2.3.1")),
    ("pip", "installed_colours", passed("Successfully installed iniconfig-2.3.1")),
    # installed; the ERROR is a warning
    ("pip", "installed_conflict", passed("Successfully installed pluggy-0.13.1")),
    ("pip", "installed_tail", passed("Successfully installed packaging-23.2")),
    (
        "pip",
        "no_such_package",
        failed(
            "ERROR: Could not find a version that satisfies the requirement "
            "groundwire-no-such-package (from versions: none)"
        ),
    ),
    (
        "pip",
        "no_such_version",
        failed(
            "ERROR: Could not find a version that satisfies the requirement iniconfig==99.0 "
            "(from versions: 0.1, 0.2.dev0, 1.0.0, 1.0.1, 1.1.0, 1.1.1, 2.0.0, 2.1.0, "
            "2.2.0, 2.3.0, 2.3.1)"
        ),
    ),
    (
        "pip",
        "nothing_given",
        failed(
            'ERROR: You must give at least one requirement to install (maybe you meant "pip '
            'install /home/dev/wheels"?)'
        ),
    ),
    (
        "pip",
        "requirements_missing",
        failed(
            "ERROR: Could not open requirements file: [Errno 2] No such file or directory: "
            "'nosuch.txt'"
        ),
    ),
    ("pip", "uninstalled", None),  # no installation
    ("uv", "already", passed("Checked 1 package in 1ms")),
    ("uv", "installed", passed("Installed 1 package in 9ms")),
    ("uv", "no_version", failed("error: No solution found when resolving dependencies")),
    ("uv", "sync", passed("Installed 1 package in 8ms")),
]


@pytest.mark.parametrize(("tool", "case", "expected"), ROWS)
def test_outcome(tool: str, case: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(tool, case)) == expected


def test_every_recorded_output_has_a_row() -> None:
    assert missing_rows(ROWS) == set()
