"""Readers of summaries in which a line alone says nothing: what stands around it decides."""

from __future__ import annotations

from groundwire.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.outcomes.clean import brief, is_number
from groundwire.outcomes.rows import combine, counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PLAYWRIGHT = frozenset("failed interrupted flaky skipped did passed error".split())
_WHOLE_SUITES = ("Test Suite 'All tests' ", "Test Suite 'Selected tests' ")


def tap(lines: list[str]) -> Outcome | None:
    """Read the plan and the results of TAP: a success when all results are there."""
    plans = [line for line in lines if line.startswith("1..")]
    planned = plans[0].removeprefix("1..").partition(" ")[0] if plans else ""
    total = int(planned) if is_number(planned) else None
    results = [line for line in lines if line.startswith(("ok ", "not ok "))]
    bad = [one for one in results if one.startswith("not") and "# todo" not in one.lower()]
    if bad:
        failed = len(bad) if total == len(results) else None
        return Outcome(FAILED, failed=failed, total=total, line=brief(bad[0]))
    if total == 0:
        return Outcome(total=0, line=brief(plans[0]))
    if total is None or total != len(results):
        return None
    skipped = sum("# skip" in line.lower() for line in results)
    status = PASSED if skipped < total else UNKNOWN
    return Outcome(status, failed=0, skipped=skipped, total=total, line=brief(plans[0]))


def playwright(lines: list[str]) -> Outcome | None:
    """Read the summary, whose failures stand first and its successes last.

    ``| tail`` may so cut just the failures off. A summary with which the text begins, or that has
    names of tests without a heading above them, is therefore not taken as a success.
    """
    numbers: dict[str, int] = {}
    first_heading = bad = ""
    beginning_seen = True
    for index, text in enumerate(lines):
        heading = _playwright_heading(text)
        if heading:
            beginning_seen = beginning_seen and (index > 0 or bool(numbers))
            numbers.update(heading)
            first_heading = first_heading or text
            bad = text if heading.keys() & {"failed", "interrupted", "error"} else bad
        elif text.endswith("\u2500") and text.startswith("    ") and not numbers:
            beginning_seen = False  # a name whose heading is gone
    if not numbers:
        return None
    ran = numbers.get("passed") or numbers.get("flaky")
    status = PASSED if ran and beginning_seen and not numbers.get("did") else UNKNOWN
    return Outcome(
        FAILED if bad else status,
        numbers.get("passed"),
        numbers.get("failed"),
        numbers.get("skipped"),
        numbers.get("error"),
        line=brief(bad or first_heading),
    )


def _playwright_heading(text: str) -> dict[str, int]:
    """Read "  2 passed (1.2s)"; empty for any other line."""
    if not text.startswith("  ") or text[2:3] == " " or not text[2:3].isdigit():
        return {}
    heading = {words.partition(" ")[0]: number for words, number in counts(text)[:1]}
    is_whole = "did" not in heading or text.endswith(" did not run")
    return heading if heading and is_whole and _PLAYWRIGHT.issuperset(heading) else {}


def xctest(lines: list[str]) -> Outcome | None:
    """Sum up the whole suites (the last suite, when the whole is cut off) and Swift's test runs.

    "Executed 6 tests, with 0 failures (0 unexpected) in 0.055 (0.057) seconds" stands below each
    suite and below all; "Test run with 3 tests passed after 0.001 seconds." is of Swift Testing.
    """
    whole_suites: list[Outcome] = []
    last_suite: list[Outcome] = []
    runs: list[Outcome] = []
    line_above = ""
    for line in lines:
        text = line.strip()
        if text.startswith("Executed ") and " failure" in text and is_number(text.split()[1]):
            last_suite = [_executed(text)]
            whole_suites += last_suite if line_above.startswith(_WHOLE_SUITES) else []
        elif "Test run with " in text and (" passed after " in text or " failed after " in text):
            runs.append(_test_run(text))
        line_above = line
    outcomes = (whole_suites or last_suite) + runs
    outcome = combine([one for one in outcomes if one.total] or outcomes)
    if outcome and any(one.status == FAILED and one.failed is None for one in outcomes):
        return outcome.replace(failed=None)  # one of them printed no number of failures
    return outcome


def _executed(text: str) -> Outcome:
    """Read "Executed 5 tests, with 1 test skipped and 2 failures (0 unexpected) in ..."."""
    numbers = dict(reversed(counts(text.partition(" (")[0])))
    total, failed = numbers.get("test", 0), numbers.get("failure")
    skipped = numbers.get("test skipped")
    status = FAILED if failed else PASSED if total > (skipped or 0) else UNKNOWN
    return Outcome(status, failed=failed, skipped=skipped, total=total, line=brief(text))


def _test_run(text: str) -> Outcome:
    """Read "Test run with 2 tests in 1 suite failed after 0.001 seconds with 1 issue."."""
    text = text[text.index("Test run with ") :]
    total = next((number for words, number in counts(text) if words.startswith("test")), None)
    status = FAILED if " failed after " in text else PASSED if total else UNKNOWN
    return Outcome(status, total=total, line=brief(text))


SUMMARIES: dict[str, Callable[[list[str]], Outcome | None]] = {
    reader.__name__: reader for reader in (tap, playwright, xctest)
}
