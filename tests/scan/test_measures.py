"""Exit codes and durations that a message reports, and those that only describe."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.numbers import DURATION, EXIT, find_numbers, quantity_candidates
from groundwire.text.mask import mask
from tests.support.tables import table

PATTERNS = Path(__file__).parents[2] / "patterns" / "pseudo_quantification.lookup.toml"
ENTRIES = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))["marker"]


def measured(text: str, kind: str) -> list[str]:
    return [text[q.start : q.end] for q in find_numbers(mask(text).text) if q.kind == kind]


@table
def test_exit_code(text: str, evidence: str) -> None:
    assert measured(text, EXIT) == [evidence]


@table
def test_no_exit_code(text: str) -> None:
    assert measured(text, EXIT) == []


@table
def test_duration(text: str, evidence: list[str]) -> None:
    assert measured(text, DURATION) == evidence


@table
def test_no_duration(text: str) -> None:
    assert measured(text, DURATION) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["id"]))
def test_examples_of_the_pattern_file(entry: dict[str, list[str]]) -> None:
    def found(text: str) -> list[str]:
        masked = mask(text).text
        spots = quantity_candidates(find_numbers(masked), masked)
        return [text[start:end] for start, end, name in spots if name == str(entry["id"])]

    for hit in entry["hits"]:
        wanted = hit[hit.index("{") + 1 : hit.index("}")]
        assert wanted in found(hit.replace("{", "").replace("}", ""))
    for miss in entry["misses"]:
        assert found(miss) == []


PIECES = st.sampled_from(
    "exited exit code status with was took in passed 0 137 1.2 s ms seconds ( ) , . from to "
    "dropped **2** 5% `x` \n".split(" ")
)


@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_spans_are_valid_and_apart(text: str) -> None:
    found = find_numbers(mask(text).text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
