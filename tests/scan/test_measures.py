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

PATTERNS = Path(__file__).parents[2] / "patterns" / "pseudo_quantification.lookup.toml"
ENTRIES = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))["marker"]


def measured(text: str, kind: str) -> list[str]:
    return [text[q.start : q.end] for q in find_numbers(mask(text).text) if q.kind == kind]


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("The command exited with code 0.", "exited with code 0"),
        ("`npm test` exited with status 3", "exited with status 3"),
        ("It exited 1 again.", "exited 1"),
        ("The exit code was 137.", "exit code was 137"),
        ("The exit status was **2** here", "exit status was **2"),
        ("It finished with exit code 0", "exit code 0"),
        ("The job failed with exit code 9", "exit code 9"),
        ("The linter is green (exit code 0).", "exit code 0"),
        ("Everything passed, exit code 0.", "exit code 0"),
    ],
)
def test_exit_code(text: str, evidence: str) -> None:
    assert measured(text, EXIT) == [evidence]


@pytest.mark.parametrize(
    "text",
    [
        "It exits with code 2 on bad input.",
        "Exit code 2 means a usage error.",
        "A non-zero exit code stops it.",
        "It returns exit code 5 when the file is missing.",
        "Returned as an error (exit status 1)",  # the report of an edit
        "(exit code 0)",
        "The exit is 5 miles away.",
        "with exit code 3 (3 files)",
        "It exited 70% of the time.",
        "`exited with code 0`",
    ],
)
def test_no_exit_code(text: str) -> None:
    assert measured(text, EXIT) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("The import took 1.2 s.", ["1.2 s"]),
        ("All 42 tests passed in 1.2s.", ["1.2s"]),
        ("The build took **12 seconds**.", ["12 seconds"]),
        ("The page loaded in 340 ms", ["340 ms"]),
        ("It dropped from 4.2 s to 1.3 s", ["4.2 s", "1.3 s"]),
        ("Startup went from 900 ms to 120 ms.", ["900 ms", "120 ms"]),
        ("The run was done in 12m", ["12m"]),
        ("It took 85 \u00b5s", ["85 \u00b5s"]),
    ],
)
def test_duration(text: str, evidence: list[str]) -> None:
    assert measured(text, DURATION) == evidence


@pytest.mark.parametrize(
    "text",
    [
        "The timeout is 30 seconds.",
        "It waits 5 seconds.",
        "Retry in 5 seconds.",
        "Finished within the limit of 30 seconds",
        "Every 10 minutes it completed in",
        "It takes 5 minutes.",
        "Set it to 300 ms.",
        "It took 3 tries.",
        "It took about 5 minutes.",  # an estimate
        "`took 3 s`",
    ],
)
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
