"""cargo test: ``test result: ok. 2 passed; 0 failed; ...``; nextest: ``Summary [ 0.01s] ...``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import cargo_build
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, is_number

_RESULT = "test result: "
_SUMMARY = "     Summary ["
_TESTS_RUN = (" tests run: ", " test run: ")
_ERRORS = ("error: ", "error[")
_NOTHING = "error: no tests to run"
_BAD_KEYS = ("failed", "timed", "exec")


def parse(output: str) -> Outcome | None:
    """Sum up the results of all test programs; else read why none ran."""
    outcomes = []
    error = failed = ""
    for line in output.split("\n"):
        if line.startswith(_RESULT):
            outcomes.append(_result(line))
        elif line.startswith(_SUMMARY):
            outcomes.append(_summary(line))
        elif line.startswith(_ERRORS) and line != _NOTHING:
            error = error if error.startswith("error: could not compile") else line
        elif line.startswith("test ") and line.endswith(" ... FAILED"):
            failed = failed or line
    outcome = combine(outcomes)
    if outcome is not None and (outcome.status == FAILED or not error):
        nothing = outcome.status == UNKNOWN
        return outcome.replace(passed=None, failed=None, total=0) if nothing else outcome
    if error.startswith("error: could not compile"):
        return cargo_build.not_compiled(error)
    line = failed or error
    return (outcome or Outcome()).replace(status=FAILED, line=brief(line)) if line else None


def _result(line: str) -> Outcome:
    """Read "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"."""
    verdict, _, rest = line.removeprefix(_RESULT).partition(". ")
    number = counts(rest, ";")
    ran = number.get("passed")
    return Outcome(
        FAILED if verdict != "ok" else PASSED if ran else UNKNOWN,
        passed=ran,
        failed=number.get("failed"),
        skipped=number.get("ignored"),
        line=brief(line),
    )


def _summary(line: str) -> Outcome:
    """Read "Summary [ 0.009s] 2/3 tests run: 1 passed (1 slow), 1 failed, 1 skipped"."""
    head, _, rest = next((line.partition(m) for m in _TESTS_RUN if m in line), (line, "", ""))
    ran, _, planned = head.rpartition("]")[2].strip().partition("/")
    number = counts(rest.replace("(", ", "))
    bad = [number[key] for key in _BAD_KEYS if key in number]
    total = planned or ran
    return Outcome(
        FAILED if bad or planned else PASSED if number.get("passed") else UNKNOWN,
        passed=number.get("passed"),
        failed=sum(bad) if bad else None,
        skipped=number.get("skipped"),
        total=int(total) if is_number(total) else None,
        line=brief(line),
    )
