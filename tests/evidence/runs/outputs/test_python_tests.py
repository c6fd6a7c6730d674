"""Real outputs of pytest, unittest, Django's runner, tox, nox and plain Python scripts."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, failed, missing_rows, passed, read, unknown

ROWS: list[Row] = [
    ("pytest", "all_deselected", unknown("4 deselected in 0.01s", total=0)),
    ("pytest", "collect_only", None),  # lists the tests and runs none
    ("pytest", "collection_error", failed("1 error in 0.09s", errors=1, total=4)),
    ("pytest", "collection_error_quiet", failed("1 error in 0.09s", errors=1)),
    ("pytest", "command_not_found", failed("bash: line 1: pytest: command not found")),
    (
        "pytest",
        "conftest_error",
        failed("ImportError while loading conftest '/home/dev/conf/tests/conftest.py'."),
    ),
    # all tests pass, the run does not
    (
        "pytest",
        "coverage_too_low",
        failed(
            "ERROR: Coverage failure: total of 67 is less than fail-under=95", passed=4, total=4
        ),
    ),
    (
        "pytest",
        "failed",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.03s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    (
        "pytest",
        "failed_colours",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.05s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    (
        "pytest",
        "failed_first",
        failed("1 failed, 2 passed, 1 warning in 0.03s", passed=2, failed=1, total=6),
    ),
    (
        "pytest",
        "failed_head",
        failed("tests_mixed/test_order.py::test_discount FAILED                          [ 50%]"),
    ),
    (
        "pytest",
        "failed_quiet_no_traceback",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.01s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
        ),
    ),
    (
        "pytest",
        "failed_sugar",
        failed(
            "2 passed, 1 failed, 1 error, 1 xfailed, 1 skipped",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    (
        "pytest",
        "failed_tail",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.03s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
        ),
    ),
    (
        "pytest",
        "failed_verbose_xdist",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 5.96s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    # a plug-in raised
    (
        "pytest",
        "internal_error",
        failed("INTERNALERROR> Traceback (most recent call last):", total=0),
    ),
    # what passed before does not make it a success
    ("pytest", "interrupted", failed("KeyboardInterrupt", passed=1, total=2)),
    ("pytest", "killed", None),  # by a time limit, before any summary
    ("pytest", "not_installed", failed("/usr/bin/python3: No module named pytest")),
    ("pytest", "nothing_ran", unknown("no tests ran in 0.01s", total=0)),
    ("pytest", "nothing_ran_quiet", unknown("no tests ran in 0.00s", total=0)),
    (
        "pytest",
        "only_grep",
        failed("tests_mixed/test_order.py::test_discount FAILED                          [ 50%]"),
    ),
    ("pytest", "passed", passed("4 passed in 0.01s", passed=4, total=4)),
    ("pytest", "passed_colours", passed("4 passed in 0.01s", passed=4, total=4)),
    ("pytest", "passed_coverage", passed("4 passed in 0.03s", passed=4, total=4)),
    ("pytest", "passed_quiet", passed("4 passed in 0.01s", passed=4)),
    ("pytest", "passed_sugar", passed("4 passed", passed=4, total=4)),
    ("pytest", "passed_tail", passed("4 passed in 0.01s", passed=4, total=4)),
    ("pytest", "passed_verbose", passed("4 passed in 0.01s", passed=4, total=4)),
    ("pytest", "passed_very_quiet", None),  # -qq prints the dots alone
    # the total is what was selected
    (
        "pytest",
        "passed_warning_selected",
        passed("1 passed, 5 deselected in 0.01s", passed=1, total=1),
    ),
    ("pytest", "passed_xdist", passed("4 passed in 3.68s", passed=4, total=4)),
    # "no tests ran" alone would be unknown
    (
        "pytest",
        "path_missing",
        failed("ERROR: file or directory not found: tests/test_gone.py", total=0),
    ),
    ("pytest", "process_died", None),  # a test ended the interpreter: no summary
    # the worst status, the sum of the counts
    (
        "pytest",
        "two_runs",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.01s",
            passed=6,
            failed=1,
            skipped=1,
            errors=1,
        ),
    ),
    (
        "pytest",
        "usage_error",
        failed("ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]"),
    ),
    ("pytest", "worker_crashed", failed("1 failed, 1 passed in 0.22s", passed=1, failed=1)),
    ("unittest", "django_failed", failed("FAILED (failures=1)", failed=1, total=3)),
    ("unittest", "django_failed_tail", failed("FAILED (failures=1)", failed=1, total=3)),
    ("unittest", "django_nothing_ran", unknown("OK", total=0)),  # so they are in Django
    ("unittest", "django_passed", passed("OK", total=2)),
    ("unittest", "django_passed_tail", passed("OK", total=2)),
    ("unittest", "django_settings_error", failed("ModuleNotFoundError: No module named 'nosuch'")),
    ("unittest", "django_unknown_label", failed("FAILED (errors=1)", errors=1, total=1)),
    (
        "unittest",
        "failed",
        failed(
            "FAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)",
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    (
        "unittest",
        "failed_313",
        failed(
            "FAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)",
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    (
        "unittest",
        "failed_tail",
        failed(
            "FAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)",
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    ("unittest", "import_error", failed("FAILED (errors=1)", errors=1, total=1)),
    ("unittest", "interrupted", failed("KeyboardInterrupt")),
    ("unittest", "nothing_ran", unknown("OK", total=0)),  # up to Python 3.11 zero tests are OK
    ("unittest", "nothing_ran_312", unknown("NO TESTS RAN", total=0)),
    ("unittest", "passed", passed("OK", total=2)),
    ("unittest", "passed_tail", passed("OK", total=2)),
    ("unittest", "passed_tail_one", passed("OK")),  # a bare OK as the last line
    ("unittest", "passed_verbose_skipped", passed("OK (skipped=1)", skipped=1, total=3)),
    (
        "unittest",
        "path_missing",
        failed("ImportError: Start directory is not importable: 'nowhere'"),
    ),
    (
        "tox",
        "broken_config",
        failed(
            "ROOT: HandledError| ToxIni failed loading /home/dev/tox/bad/tox.ini due to File "
            "contains no section headers."
        ),
    ),
    (
        "tox",
        "failed",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.06s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    ("tox", "failed_tail", failed("py311: FAIL code 1 (0.61=setup[0.08]+cmd[0.53] seconds)")),
    ("tox", "interpreter_missing", failed("py27x: FAIL code 1 (0.67 seconds)")),
    ("tox", "no_deps", failed("broken: FAIL code 1 (1.26 seconds)")),  # the tests never began
    ("tox", "passed", passed("congratulations :) (1.34 seconds)", passed=4, total=4)),
    ("tox", "passed_colours", passed("congratulations :) (0.41 seconds)", passed=4, total=4)),
    ("tox", "passed_tail", passed("congratulations :) (0.59 seconds)")),  # the counts are cut off
    # all environments skipped is a failure for tox
    ("tox", "skip_missing", failed("evaluation failed :( (0.37 seconds)")),
    (
        "tox",
        "tox3_failed",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.02s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    ("tox", "tox3_passed", passed("congratulations :)", passed=4, total=4)),
    (
        "tox",
        "unknown_env",
        failed("ROOT: HandledError| provided environments not found in configuration file:"),
    ),
    ("nox", "aborted", failed("nox > Session release aborted: no version given.")),
    (
        "nox",
        "failed",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.01s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    (
        "nox",
        "failed_one",
        failed(
            "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in 0.02s",
            passed=2,
            failed=1,
            skipped=1,
            errors=1,
            total=6,
        ),
    ),
    ("nox", "failed_tail", failed("nox > * tests: failed")),
    ("nox", "noxfile_error", failed("ModuleNotFoundError: No module named 'nosuch'")),
    (
        "nox",
        "noxfile_missing",
        failed(
            "nox > Failed to load Noxfile /home/dev/tox/tests_ok/noxfile.py, no such file exists."
        ),
    ),
    ("nox", "passed", passed("nox > * lint: success", passed=4, total=4)),
    ("nox", "passed_colours", passed("nox > * lint: success", passed=4, total=4)),
    ("nox", "passed_one", passed("nox > Session tests was successful.", passed=4, total=4)),
    ("nox", "passed_tail", passed("nox > * lint: success")),  # so are they here
    ("nox", "skipped", unknown("nox > Session docs skipped: no docs yet.")),
    ("nox", "unknown_session", failed("nox > Error while collecting sessions.")),
    ("python", "bare_assertion", failed("AssertionError")),
    # logged, and the program went on
    ("python", "caught", unknown("ZeroDivisionError: division by zero")),
    # a message of two lines cannot be told from the above
    ("python", "chained", unknown("RowError: row 3 is bad")),
    (
        "python",
        "crashed",
        failed(
            "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1)"
        ),
    ),
    ("python", "crashed_313_colours", unknown("RowError: row 3 is bad")),  # the same
    (
        "python",
        "crashed_stdout_first",
        failed(
            "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1)"
        ),
    ),
    (
        "python",
        "crashed_tail",
        failed(
            "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1)"
        ),
    ),
    ("python", "exit_without_traceback", None),  # exit status 3 says it, the text does not
    (
        "python",
        "file_missing",
        failed(
            "python: can't open file '/home/dev/job/nosuch.py': [Errno 2] No such file or directory"
        ),
    ),
    ("python", "group", failed("ExceptionGroup: two rows (2 sub-exceptions)")),
    ("python", "interrupted", failed("KeyboardInterrupt")),
    ("python", "module_missing", failed("/usr/bin/python3: No module named nosuch_module")),
    ("python", "passed", None),  # says nothing
    ("python", "syntax_error", failed("SyntaxError: expected ':'")),
]


@pytest.mark.parametrize(("tool", "case", "expected"), ROWS)
def test_outcome(tool: str, case: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(tool, case)) == expected


def test_every_recorded_output_has_a_row() -> None:
    assert missing_rows(ROWS) == set()
