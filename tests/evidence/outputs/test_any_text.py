"""What is around the output of a tool, and what rows of ``outcomes/*.toml`` make of any text."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence.records import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.outcomes.clean import brief, clean
from groundwire.outcomes.read import is_silent, kinds_of, parse_output, recognise
from groundwire.outcomes.rows import SHAPES, combine, counts
from groundwire.rules.outcomes import TOOLS
from tests.evidence.outputs.recorded import read
from tests.support.tables import table

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


_TEXTS = """
    Tests:|Ran|OK|FAILED (errors=1)|\u2716|2 problems|Found|error TS1|# pass 1|1 passing (1ms)
    Done in 1s|\x1b[|\r|....|Traceback (most recent call last):|...Passed|Results (|a:1:1: E1
    =|(|/| truncated] ...|<persisted-output>|Preview (first |\t2026-01-01T1|a:b: |1|Tests  |+---
    + Exception Group Traceback (most recent call last):|  | E: x|  File "a"|Error: x|not ok 1
"""
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
    assert is_silent("tsc")
    assert not is_silent("pytest")
    assert kinds_of("xcodebuild") == ("test", "build")
    assert kinds_of("nosuch") == ()
    assert parse_output("tsc", "") is None
