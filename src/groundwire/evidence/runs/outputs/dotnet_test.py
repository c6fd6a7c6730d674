"""dotnet test: one line for each project, the block of verbose runs, the terminal's summary."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs import dotnet_build
from groundwire.evidence.runs.outputs.combine import combine
from groundwire.evidence.runs.outputs.lines import brief, is_number

_PROJECT = ("Passed! ", "Failed! ", "Skipped! ")
_SUMMARY = "Test summary: "
_BLOCKS = ("Test Run ", "Test run summary: ", "Total tests: ")
_KEYS = ("total", "passed", "failed", "skipped", "succeeded", "total tests")
_NOTHING = ("No test is available in ", "No test matches the given testcase filter ")
_CASE_FAILED = "  Failed "


def parse(output: str) -> Outcome | None:
    """Read the summaries; without one, a test that failed or a build that did."""
    lines = output.split("\n")
    outcomes = []
    for index, line in enumerate(lines):
        if line.startswith(_PROJECT) and "Total:" in line:
            outcomes.append(_outcome(_numbers(line.partition(" - ")[2].split(",")), line))
        elif line.startswith(_SUMMARY):
            outcomes.append(_outcome(_numbers(line.removeprefix(_SUMMARY).split(",")), line))
        elif line.startswith(_BLOCKS) and not outcomes:
            outcomes += _block(lines[index : index + 12])
    build = dotnet_build.parse(output)
    if not outcomes:
        return _without_summary(lines, build)
    outcome = combine(outcomes)
    if outcome is not None and build is not None and build.status == FAILED:
        return outcome.replace(status=FAILED)
    return outcome


def _numbers(parts: list[str]) -> dict[str, int]:
    """Read "Failed:     1", "total: 5" and the like, by small names; others are left out."""
    number: dict[str, int] = {}
    for part in parts:
        name, _, value = part.strip().partition(":")
        if name.lower() in _KEYS and is_number(value.strip()):
            number[name.lower()] = int(value.strip())
    return number


def _outcome(number: dict[str, int], line: str) -> Outcome:
    passed = number.get("passed", number.get("succeeded"))
    failed = number.get("failed")
    return Outcome(
        FAILED if failed else PASSED if passed else UNKNOWN,
        passed=passed,
        failed=failed,
        skipped=number.get("skipped"),
        total=number.get("total", number.get("total tests")),
        line=brief(line),
    )


def _block(lines: list[str]) -> list[Outcome]:
    """Read "Test Run Failed." and the lines below it, one count each."""
    number = _numbers(lines)
    if not number:
        return []
    outcome = _outcome(number, lines[0])
    return [outcome.replace(status=FAILED) if "ailed" in lines[0] else outcome]


def _without_summary(lines: list[str], build: Outcome | None) -> Outcome | None:
    nothing = next((line for line in lines if line.startswith(_NOTHING)), "")
    if nothing:
        return Outcome(UNKNOWN, total=0, line=brief(nothing))
    case = next((line for line in lines if line.startswith(_CASE_FAILED)), "")
    if case:
        return Outcome(FAILED, line=brief(case))
    return build if build is not None and build.status == FAILED else None
