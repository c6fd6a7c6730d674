"""XCTest and Swift Testing, as swift test and xcodebuild print them.

XCTest: ``Executed 6 tests, with 0 failures (0 unexpected) in 0.055 (0.057) seconds`` for each
suite and for all. Swift Testing: ``Test run with 3 tests passed after 0.001 seconds.``
"""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, is_number

_EXECUTED = "Executed "
_RUN_WITH = "Test run with "
_WHOLE = ("Test Suite 'All tests' ", "Test Suite 'Selected tests' ")
_CASE_FAILED = ("Test Case '", "Test case '")


def results(output: str) -> Outcome | None:
    """Sum up the whole suites (the last suite, when the whole is cut off) and the test runs.

    A test that failed without any summary fails as well.
    """
    whole: list[Outcome] = []
    last: Outcome | None = None
    runs: list[Outcome] = []
    above = bad_case = ""
    for line in output.split("\n"):
        text = line.strip()
        if text.startswith(_EXECUTED) and " failure" in text and _is_counted(text):
            last = _executed(text)
            whole += [last] if above.startswith(_WHOLE) else []
        elif _RUN_WITH in text and (" passed after " in text or " failed after " in text):
            runs.append(_run(text))
        elif text.startswith(_CASE_FAILED) and "' failed " in text:
            bad_case = bad_case or text
        above = line
    outcome = _sum((whole or ([last] if last else [])) + runs)
    if bad_case and (outcome is None or outcome.status != FAILED):
        return (outcome or Outcome()).replace(status=FAILED, line=brief(bad_case))
    return outcome


def _sum(outcomes: list[Outcome]) -> Outcome | None:
    """Combine those that ran tests; failures have no count when one of them printed none."""
    outcome = combine([one for one in outcomes if one.total] or outcomes)
    if any(one.status == FAILED and one.failed is None for one in outcomes):
        return outcome.replace(failed=None) if outcome is not None else None
    return outcome


def _is_counted(text: str) -> bool:
    return is_number(text.removeprefix(_EXECUTED).partition(" ")[0])


def _executed(text: str) -> Outcome:
    """Read "Executed 5 tests, with 1 test skipped and 2 failures (0 unexpected) in ..."."""
    words = text.partition(" (")[0].replace(",", "").split()
    total, failed = int(words[1]), _number_before(words, "failure")
    skipped = _number_before(words, "skipped", 2)
    ran = total - (skipped or 0)
    status = FAILED if failed else PASSED if ran else UNKNOWN
    return Outcome(status, failed=failed, skipped=skipped, total=total, line=brief(text))


def _number_before(words: list[str], name: str, distance: int = 1) -> int | None:
    for index, word in enumerate(words):
        if word.startswith(name) and index >= distance and is_number(words[index - distance]):
            return int(words[index - distance])
    return None


def _run(text: str) -> Outcome:
    """Read "Test run with 2 tests in 1 suite failed after 0.001 seconds with 1 issue."."""
    number = text.partition(_RUN_WITH)[2].partition(" ")[0]
    total = int(number) if is_number(number) else None
    status = FAILED if " failed after " in text else PASSED if total else UNKNOWN
    return Outcome(status, total=total, line=brief(text[text.index(_RUN_WITH) :]))
