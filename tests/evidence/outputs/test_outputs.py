"""Every recorded output is read as ``<tool>/expected.toml`` beside it says, whole and in parts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.evidence.records import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.outcomes.clean import clean
from groundwire.outcomes.read import parse_output, recognise
from groundwire.rules.outcomes import TOOLS
from tests.evidence.outputs.recorded import FOLDER, exit_status, read

_FIELDS = ("status", "passed", "failed", "skipped", "errors", "total", "line")


def _cases() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*/expected.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            place = (path.parent.name, case["name"])
            yield pytest.param(place, case, id=f"{'/'.join(place)}-{case['tool']}")


CASES = list(_cases())
FAILURES = [
    case
    for case in CASES
    if case.values[1].get("status") == FAILED and "tails" not in case.values[1]
]


def parts(output: str) -> Iterator[str]:
    """Yield the ends of an output as ``| tail`` gives them, and as the harness cuts its middle."""
    lines = output.rstrip("\n").split("\n")
    for start in range(1, len(lines)):
        tail = "\n".join(lines[start:]) + "\n"
        yield tail
        head = "\n".join(lines[: min(start, len(lines) // 3)])
        if head:
            yield f"{head}\n\n... [{len(lines)} lines truncated] ...\n\n{tail}"


def test_every_recorded_output_has_a_case() -> None:
    recorded = {(path.parent.name, path.stem) for path in FOLDER.glob("*/*.txt")}
    assert recorded == {case.values[0] for case in CASES}
    assert len(recorded) >= 814


@pytest.mark.parametrize(("place", "case"), CASES)
def test_outcome(place: tuple[str, str], case: dict[str, Any]) -> None:
    expected = Outcome(**{key: case[key] for key in _FIELDS if key in case})
    outcome = parse_output(case["tool"], read(*place))
    assert outcome == (expected if "status" in case else None)


@pytest.mark.parametrize(("place", "case"), CASES)
def test_recognised(place: tuple[str, str], case: dict[str, Any]) -> None:
    found = recognise(read(*place))
    assert (found[0] if found else None) == case.get("recognised")


@pytest.mark.parametrize(("place", "case"), CASES)
def test_no_reading_is_the_opposite_of_the_exit_status(
    place: tuple[str, str], case: dict[str, Any]
) -> None:
    status = exit_status(*place)
    if status is None or "exit" in case:
        return
    opposite = FAILED if status == 0 else PASSED
    found = recognise(read(*place))
    outcomes = [parse_output(case["tool"], read(*place)), found[1] if found else None]
    assert all(outcome is None or outcome.status != opposite for outcome in outcomes)


def test_most_exit_statuses_are_recorded() -> None:
    assert sum(exit_status(*case.values[0]) is not None for case in CASES) > len(CASES) / 3


@pytest.mark.parametrize(("place", "case"), FAILURES)
def test_no_part_of_a_failed_output_reads_as_passed(
    place: tuple[str, str], case: dict[str, Any]
) -> None:
    for part in parts(read(*place)):
        outcome = parse_output(case["tool"], part)
        assert outcome is None or outcome.status != PASSED, part
        found = recognise(part)
        assert found is None or found[1].status != PASSED, part


@pytest.mark.parametrize("tool", [tool[0][0] for tool in TOOLS])
def test_any_output_is_read_by_any_tool(tool: str) -> None:
    """Without an error, and quoting only what is there."""
    for case in CASES[::6]:
        lines = read(*case.values[0]).split("\n")
        half = len(lines) // 2
        for part in (lines, lines[:half], lines[::2], [line[:25] for line in lines]):
            output = "\n".join(part)
            outcome = parse_output(tool, output)
            if outcome is not None:
                assert outcome.status in (PASSED, FAILED, UNKNOWN)
                assert outcome.line in clean(output)
