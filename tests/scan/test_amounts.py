"""Counts of any noun and amounts: figures that no other reader of numbers knows."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.numbers import AMOUNT, THINGS, find_numbers, quantity_candidates
from groundwire.text.mask import mask
from tests.support.tables import table

PATTERNS = Path(__file__).parents[2] / "patterns" / "pseudo_quantification.stated.toml"
ENTRIES: list[dict[str, Any]] = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))["marker"]


def read(text: str, kind: str) -> list[tuple[str, str]]:
    found = find_numbers(mask(text).text)
    return [(text[q.start : q.end], q.unit) for q in found if q.kind == kind]


def ids(text: str) -> list[tuple[str, str]]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [(text[start:end], name) for start, end, name in found]


@table
def test_things(text: str, evidence: str, unit: str) -> None:
    assert read(text, THINGS) == [(evidence, unit)]


@table
def test_no_things(text: str) -> None:
    assert read(text, THINGS) == []


@table
def test_amount(text: str, evidence: list[str]) -> None:
    assert [found for found, _ in read(text, AMOUNT)] == evidence


def test_a_time_that_a_run_took_stays_a_duration() -> None:
    assert ids("The import took 4.2 s.") == [("4.2 s", "quantity.duration")]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["id"]))
def test_examples_of_the_pattern_file(entry: dict[str, Any]) -> None:
    for hit in entry["hits"]:
        wanted = hit[hit.index("{") + 1 : hit.index("}")]
        assert (wanted, entry["id"]) in ids(hit.replace("{", "").replace("}", ""))
    for miss in entry["misses"]:
        assert entry["id"] not in [name for _, name in ids(miss)]


@given(st.text("0123456789 ofthe%/.,-~msMBs*|\n", max_size=80))
def test_spans_are_valid_and_apart(text: str) -> None:
    found = find_numbers(mask(text).text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
