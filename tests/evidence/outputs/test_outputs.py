"""Every recorded output is read as ``<tool>/expected.toml`` beside it says, whole and in parts."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.records import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.outcomes.clean import brief, clean
from groundwire.outcomes.read import kinds_of, parse_output, recognise
from groundwire.outcomes.rows import SHAPES, combine, counts
from groundwire.rules.outcomes import TOOLS
from tests.evidence.outputs.recorded import FOLDER, exit_status, read
from tests.support.tables import table, tables

TABLES = tables(__file__)
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


Fields = dict[str, Any]


def outcome_of(fields: Fields | None) -> Outcome | None:
    return Outcome(**fields) if fields else None


SUMMARY = read("pytest", "failed_quiet_no_traceback")


@table
def test_terminal(raw: str, expected: str) -> None:
    assert clean(raw) == expected


@table
def test_cut_marks(raw: str, expected: str) -> None:
    assert clean(raw) == expected


def test_a_cut_number_is_not_read() -> None:
    text = "1\n... [90 characters truncated] ...\n12 passed in 3.00s\n"
    assert parse_output("pytest", text) is None


@table
def test_prefixes(prefix: str) -> None:
    prefixed = "".join(f"{prefix}{line}\n" for line in SUMMARY.splitlines())
    assert parse_output("pytest", prefixed) == parse_output("pytest", SUMMARY)


@table
def test_no_prefix(lines: list[str]) -> None:
    assert clean("\n".join(lines)).split("\n") == lines


def test_packages_that_run_at_the_same_time_are_put_together() -> None:
    lines = ["start", "a:test: 1", "b:test: 1", "a:test: 2", "b:test:", "b:test: 3", "end"]
    cleaned = clean("\n".join(lines)).split("\n")
    assert cleaned == ["1", "2", "1", "", "3", "start", "end"]


@table
def test_counts(line: str, behind: bool, expected: list[list[object]]) -> None:
    assert [[*one] for one in counts(line, behind)] == expected


@table
def test_shapes(shape: str, line: str, expected: bool) -> None:
    assert SHAPES[shape](line) is expected


def test_brief() -> None:
    assert brief("  " + "x" * 300) == "x" * 200


@table
def test_combine(parts: list[Fields], together: Fields | None) -> None:
    assert combine([Outcome(**part) for part in parts]) == outcome_of(together)


_TEXTS = TABLES["texts"]
_WORDS = st.sampled_from([*SUMMARY.split(), *_TEXTS.split("|"), "\n", "    ", "  "])


@given(st.lists(_WORDS, max_size=40).map("".join) | st.lists(_WORDS, max_size=40).map(" ".join))
def test_any_text_is_read_without_error(text: str) -> None:
    outcomes = [parse_output(tool, text) for table in TOOLS for tool in table[0]]
    found = recognise(text)
    outcomes.append(found[1] if found else None)
    for outcome in outcomes:
        assert outcome is None or outcome.status in (PASSED, FAILED, UNKNOWN)
        assert outcome is None or len(outcome.line) <= 200


@table
def test_several_tools_in_one_output(parts: list[tuple[str, str]], tool: str, status: str) -> None:
    found = recognise("".join(read(*part) for part in parts))
    assert found is not None
    assert (found[0], found[1].status) == (tool, status)


@table
def test_other_text_is_not_recognised(text: str) -> None:
    assert recognise(text) is None


def test_unknown_tool() -> None:
    assert parse_output("nosuch", "1 passed in 0.1s") is None


@table
def test_a_tool_that_is_not_there_has_failed(output: str) -> None:
    outcome = parse_output("pyright", output)
    assert outcome is not None
    assert (outcome.status, outcome.line) == ("failed", output)


@table
def test_marks(output: str, expected: Fields | None) -> None:
    assert parse_output("*", output) == outcome_of(expected)


@table
def test_status(tool: str, output: str, status: str) -> None:
    outcome = parse_output(tool, output)
    assert outcome is not None
    assert outcome.status == status


def test_what_is_known_of_tools() -> None:
    assert kinds_of("xcodebuild") == ("test", "build")
    assert kinds_of("nosuch") == ()
    assert parse_output("tsc", "") is None
