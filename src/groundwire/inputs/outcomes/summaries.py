"""Readers of summaries in which a line alone says nothing: what stands around it decides."""

from __future__ import annotations

from groundwire.base.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.inputs.outcomes.clean import brief, is_number
from groundwire.inputs.outcomes.rows import combine, counts

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


_TRACE = "Traceback (most recent call last):"
_GROUP_TRACE = "Exception Group " + _TRACE
_ERROR_NAMES = ("Error", "Exception", "Interrupt", "Exit", "Failure")
_NOT_STARTED = ("can't open file '", "No module named ")


def python(lines: list[str]) -> Outcome | None:
    """Read a crash: failed when the output ends with the exception, unknown when text follows.

    What follows may be the rest of a message of several lines, output that was written late, or
    the work of a program that caught and logged the exception.
    """
    while len(lines) > 1 and not lines[-1].strip():
        lines = lines[:-1]
    starts = [index for index, line in enumerate(lines) if line.rstrip().endswith(_TRACE)]
    if not starts:
        return _end_of_trace(lines)
    below = lines[starts[-1] + 1 :]
    if below and _GROUP_TRACE in lines[starts[-1]]:
        return _group_outcome(below)
    if not below or not below[0].startswith('  File "'):
        return None
    for index, line in enumerate(below):
        if line and not line.startswith(" "):
            status = FAILED if index == len(below) - 1 else UNKNOWN
            return Outcome(status, line=brief(line)) if _is_exception(line) else None
    return None


def _is_exception(line: str) -> bool:
    """Tell whether ``line`` is "shop.RowError: text" or "KeyboardInterrupt"."""
    return line.partition(":")[0].replace(".", "").strip().isidentifier()


def _group_outcome(lines: list[str]) -> Outcome | None:
    """An exception group stands in a box that a line of dashes closes."""
    texts = [line.strip() for line in lines]
    name = next((text[2:] for text in texts if text[:2] == "| " and text[2:3] != " "), "")
    closed = texts[-1].startswith("+---") and texts[-1].endswith("---")
    return Outcome(FAILED if closed else UNKNOWN, line=brief(name)) if name else None


def _end_of_trace(lines: list[str]) -> Outcome | None:
    """Read the end of a trace, or of a script that could not be compiled, found or imported."""
    last = lines[-1].rstrip()
    is_error = _is_exception(last) and last.partition(":")[0].endswith(_ERROR_NAMES)
    is_crash = is_error and len(lines) > 1 and lines[-2].startswith("    ")
    program = last.partition(": ")[0].rpartition("/")[2]
    missing = program.startswith(("python", "pypy")) and any(one in last for one in _NOT_STARTED)
    return Outcome(FAILED, line=brief(last)) if is_crash or missing else None


def node(lines: list[str]) -> Outcome | None:
    """Read a crash: the first line that names an error and has a stack below it."""
    before = ""
    for line in lines:
        name = before.removeprefix("Uncaught ").split(":")[0].split(" [")[0]
        names_error = name.endswith(("Error", "Exception")) and " " not in name
        if line.startswith("    at ") and names_error:
            return Outcome(FAILED, line=brief(before))
        before = before if line.startswith(" ") else line
    last = next((line for line in reversed(lines) if line.strip()), "")
    return Outcome(FAILED, line=brief(last)) if last.startswith("Node.js v") else None


def ended_node(lines: list[str]) -> Outcome | None:
    """Read a crash only when the output ends as node ends after an error."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return node(lines) if last.startswith("Node.js v") else None


CRASHES: dict[str, Callable[[list[str]], Outcome | None]] = {
    reader.__name__: reader for reader in (python, node, ended_node)
}
