"""go test and gotestsum: ``ok``, ``FAIL`` and ``?`` lines by package, ``DONE 6 tests, 1 failure``.

go test prints no counts, and whether a subtest is a test is a matter of opinion: only gotestsum's
are read.
"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import go_build
from groundwire.evidence.runs.outputs.lines import brief, counts

_FAILED_STARTS = ("--- FAIL: ", "FAIL\t", "panic: test timed out ", "=== FAIL: ")
_JSON_FAILED = ('"Action":"fail"', '"Action":"build-fail"')
_JSON_PASSED = '"Action":"pass"'
_EMPTY = ("[no test files]", "[no tests to run]")
_EMPTY_BINARY = "testing: warning: no tests to run"
_DONE = "DONE "


def parse(output: str) -> Outcome | None:
    """Read the lines of the packages: one that failed decides, else one that ran tests."""
    failed = passed = empty = done = above = ""
    for line in output.split("\n"):
        if not failed and (line.startswith(_FAILED_STARTS) or line == "FAIL" or _json_failed(line)):
            failed = line
        elif line.endswith(_EMPTY) or line == _EMPTY_BINARY:
            empty = line
        elif line == "PASS":  # the test binary says so also when it ran nothing
            passed = passed if passed or above == _EMPTY_BINARY else line
        elif line.startswith("ok  \t") or _json_passed(line):
            passed = line
        elif line.startswith(_DONE) and " in " in line:
            done = line
        above = line
    if done:
        return _done(done)
    if failed:
        return Outcome(FAILED, line=brief(failed))
    if passed:
        return Outcome(PASSED, line=brief(passed))
    return Outcome(UNKNOWN, total=0, line=brief(empty)) if empty else go_build.parse(output)


def _json_failed(line: str) -> bool:
    return line.startswith("{") and any(mark in line for mark in _JSON_FAILED)


def _json_passed(line: str) -> bool:
    """Tell whether ``line`` is the event of a package; one of a test says nothing of the rest."""
    return line.startswith("{") and _JSON_PASSED in line and '"Test":' not in line


def _done(line: str) -> Outcome:
    """Read "DONE 6 tests, 1 skipped, 1 failure, 1 error in 0.540s"."""
    number = counts(line.removeprefix(_DONE).rpartition(" in ")[0])
    failed, errors, total = number.get("failure"), number.get("error"), number.get("test")
    status = FAILED if failed or errors else PASSED if total else UNKNOWN
    skipped = number.get("skipped")
    return Outcome(
        status, failed=failed, skipped=skipped, errors=errors, total=total, line=brief(line)
    )
