"""PHPUnit: ``OK (2 tests, 2 assertions)``, ``Tests: 5, Assertions: 2, Failures: 1.``; Pest."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, counts, first_line, is_number

_OK = "OK ("
_COUNTED = ("Tests: ", ", Assertions: ")
_PEST = ("Tests:  ", " assertions)")
_BAD_HEADINGS = frozenset("FAILURES! ERRORS! WARNINGS! DEPRECATIONS! NOTICES!".split())
_NOT_RUN = ("Skipped", "Incomplete")
_NOTHING = "No tests executed!"
_BROKEN = (
    "PHP Fatal error:",
    "Fatal error:",
    "PHP Parse error:",
    "Parse error:",
    "Cannot open file ",
    "Could not read ",
    "Unknown option ",
    "Test file ",
    "Test directory ",
)


def parse(output: str) -> Outcome | None:
    """Read the summaries; without one, what kept PHP from running the tests."""
    outcomes = []
    heading = ""
    for line in output.split("\n"):
        text = line.strip()
        if text in _BAD_HEADINGS:
            heading = text
        elif text.startswith(_OK) and " assertion" in text:
            outcomes.append(_ok(text))
        elif text.startswith(_COUNTED[0]) and _COUNTED[1] in text:
            outcomes.append(_counted(text, heading))
            heading = ""
        elif text.startswith(_PEST[0]) and text.endswith(_PEST[1]):
            outcomes.append(_pest(text))
        elif text == _NOTHING:
            outcomes.append(Outcome(UNKNOWN, total=0, line=text))
    broken = first_line(output, *_BROKEN)
    if broken and not outcomes:
        return Outcome(FAILED, line=brief(broken))
    return combine(outcomes) or (Outcome(FAILED, line=heading) if heading else None)


def _ok(text: str) -> Outcome:
    total = counts(text.removeprefix(_OK)).get("test")
    return Outcome(PASSED, total=total, line=brief(text))


def _counted(text: str, heading: str) -> Outcome:
    """Read "Tests: 5, Assertions: 2, Failures: 1, Skipped: 1, Incomplete: 1, Risky: 1."."""
    number: dict[str, int] = {}
    for part in text.rstrip(".").split(", "):
        name, _, value = part.partition(": ")
        if is_number(value):
            number[name] = int(value)
    total = number.get("Tests")
    not_run = [number[name] for name in _NOT_RUN if name in number]
    bad = heading or number.get("Failures") or number.get("Errors")
    return Outcome(
        FAILED if bad else UNKNOWN if total == sum(not_run) else PASSED,
        failed=number.get("Failures"),
        skipped=sum(not_run) if not_run else None,
        errors=number.get("Errors"),
        total=total,
        line=brief(text),
    )


def _pest(text: str) -> Outcome:
    """Read "Tests:    1 failed, 2 skipped, 12 passed (20 assertions)"."""
    number = counts(text.removeprefix(_PEST[0]))
    return Outcome(
        FAILED if number.get("failed") else PASSED if number.get("passed") else UNKNOWN,
        passed=number.get("passed"),
        failed=number.get("failed"),
        skipped=number.get("skipped"),
        line=brief(text),
    )
