"""Which numbers are quantities, what they measure, and which of them are candidates."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.numbers import find_numbers, quantity_candidates
from groundwire.scan.quantities import Quantity
from groundwire.text.mask import mask

PATTERNS = Path(__file__).parents[2] / "patterns" / "pseudo_quantification.toml"
MARKERS = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))["marker"]
ENTRIES = [entry for entry in MARKERS if "scanner" in entry]
FENCE = "```python\nassert 3 == 3  # 100% of 42 tests, 9/10\n```"


def numbers(text: str) -> list[Quantity]:
    return find_numbers(mask(text).text)


def evidence(text: str, kind: str = "") -> list[str]:
    return [text[q.start : q.end] for q in numbers(text) if kind in ("", q.kind)]


def ids(text: str) -> list[tuple[str, str]]:
    masked = mask(text).text
    found = quantity_candidates(find_numbers(masked), masked)
    return [(text[start:end], name.removeprefix("quantity.")) for start, end, name in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This is a 70% improvement.", ["70%"]),  # the peer's own example, never found there
        ("Latency went down by 70%.", ["70%"]),  # at the end of a sentence
        ("It is a 70%reduction.", ["70%"]),  # the only spelling the peer found
        ("~70% of the time", ["70%"]),
        ("**70%** of the lines", ["70%"]),
        ("_70%_ of the lines", ["70%"]),
        ("uptime is 99.9%", ["99.9%"]),
        ("70 percent of the calls", ["70 percent"]),
        ("70 per cent of the calls", ["70 per cent"]),
        ("ten percent less", ["ten percent"]),
        ("ten % less", ["ten %"]),
        ("twenty-five percent less", ["twenty-five percent"]),
        ("12 percentage points", ["12 percentage"]),
        ("70\u00a0% more", ["70\u00a0%"]),
        ("Go: 40%, Rust: 35%, Java: 25%", ["40%", "35%", "25%"]),  # not only the first
        ("between 70-80% of it", ["70-80%"]),
        ("70%\u201380% of it", ["70%", "80%"]),
        ("1,250% more", ["1,250%"]),
        ("| Coverage | 85% |\n|---|---|\n| Branches | 71% |", ["85%", "71%"]),
        ("-12% on the cold path", ["12%"]),
    ],
)
def test_percent(text: str, expected: list[str]) -> None:
    assert evidence(text, "percent") == expected


@pytest.mark.parametrize(
    "text",
    [
        "The link is /a%20b and %s.",
        "The format is 100%20 or 5%d.",
        "Use `width: 100%` there.",
        "```css\nwidth: 100%\n```",
        "> coverage 85%",
        "See https://example.com/?q=100% for it.",
        "The modulo is i % 2.",
        "v70% is a name",
        "#70% is one too",
    ],
)
def test_no_percent(text: str) -> None:
    assert evidence(text, "percent") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I give it 10/10.", ["10/10"]),  # field 3 C: passed unseen by the peer
        ("Readiness: 95/100", ["95/100"]),
        ("Robustness is 4/5 now.", ["4/5"]),
        ("Design 8/10, tests 9/10, docs 3/10", ["8/10", "9/10", "3/10"]),
        ("8.5 out of 10", ["8.5 out of 10"]),
        ("nine out of ten reviewers", ["nine out of ten"]),
        ("9.5/10 for the API", ["9.5/10"]),
        ("I would rate this code 8.5/10.", ["8.5/10"]),  # "code 8" alone would be a label
        ("(9/10)", ["9/10"]),
        ("**9/10**", ["9/10"]),
        ("from 4/10 to 9/10", ["4/10", "9/10"]),
        ("Quality score: 3/4", ["3/4"]),
        ("rated 7/8 by the linter", ["7/8"]),
        ("37/40 in the audit", ["37/40"]),
        ("Lighthouse: 98/100", ["98/100"]),
        ("all 42/42 green", []),  # a count with an outcome
        ("6 / 10 is spaced", []),
    ],
)
def test_ratio(text: str, expected: list[str]) -> None:
    assert evidence(text, "ratio") == expected


@pytest.mark.parametrize(
    "text",
    [
        "On 3/10 we released.",  # field 3 C: blocked by the peer
        "Due Monday 4/5, not before 3/10.",
        "On 10/10/2026 we released, since 3/10/26.",
        "Released 2026-11-21 at 10:30.",
        "The service is up 24/7.",
        "TCP/IP and/or UDP",
        "Part 2/5 and step 3/10 are open.",
        "Commit [2/5] moves the parser.",
        "A third is 1/3, a half 1/2.",
        "The ratio 16/9 is kept.",
        "1/10th of the rows",
        "src/10/10.py and a/4/5",
        "versions 3.10/3.11",
        "`9/10`",
        "Room 5/0 has no total.",
        "5/\u00b2 is no number",
    ],
)
def test_no_ratio(text: str) -> None:
    assert evidence(text, "ratio") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 3x faster.", ["3x faster"]),
        ("It is 2.5\u00d7 faster.", ["2.5\u00d7 faster"]),
        ("ten times slower", ["ten times slower"]),
        ("3 times as fast as jq", ["3 times as fast"]),
        ("2-3x on the cold path", ["2-3x"]),
        ("2\u20133x speedup", ["2\u20133x speedup"]),
        ("a 4X speed-up", ["4X speed-up"]),
        ("10x the throughput", ["10x"]),
        ("a 5-fold gain", ["5-fold"]),
        ("a ten-fold gain", ["ten-fold"]),
        ("**21\u00d7 speedup**", ["21\u00d7 speedup"]),
        ("*3x* faster in Go", ["3x* faster"]),
        ("100x more allocations", ["100x more"]),
        ("1.14\u00d7 to 1.40\u00d7 faster", ["1.14\u00d7", "1.40\u00d7 faster"]),
        ("20 times more often", ["20 times more"]),
        ("3x\nfaster", ["3x\nfaster"]),  # a soft line break
    ],
)
def test_times(text: str, expected: list[str]) -> None:
    assert evidence(text, "times") == expected


@pytest.mark.parametrize(
    "text",
    [
        "It retries 3 times.",
        "The icon is 64x64, the screen 1920x1080.",
        "The address is 0x1F.",
        "All 5xx errors are retried.",
        "A 4x4 matrix",
        "Python 3.x is fine.",
        "Three times a day it runs.",
        "x3 and xs",
        "the @2x asset",
        "`3x faster`",
        "v3x is a tag",
        "several times faster",  # a phrase, not a number
        "at times faster",
        "0x faster is hexadecimal",
        "ten-times table",
    ],
)
def test_no_times(text: str) -> None:
    assert evidence(text, "times") == []


@pytest.mark.parametrize(
    ("text", "found", "value", "total", "outcome"),
    [
        ("All 42 tests pass.", "42 tests", 42, None, "passed"),
        ("All 42 tests are passing", "42 tests", 42, None, "passed"),  # field 3 Q
        ("42 passed in 1.2s", "42 passed", 42, None, "passed"),  # pytest
        ("test result: ok. 12 passed;", "12 passed", 12, None, "passed"),  # cargo
        ("Tests: 42 total", "Tests: 42", 42, None, ""),  # jest
        ("Tests  12 passed (12)", "12 passed", 12, None, "passed"),  # vitest
        ("12 of 15 tests pass", "12 of 15 tests", 12, 15, "passed"),
        ("12 of the 15 unit tests fail", "12 of the 15 unit tests", 12, 15, "failed"),
        ("12 out of 15 passed", "12 out of 15 passed", 12, 15, "passed"),
        ("12/15 tests", "12/15 tests", 12, 15, ""),
        ("Tests: 42/42", "Tests: 42/42", 42, 42, ""),
        ("all tests pass (42/42)", "tests pass (42/42)", 42, 42, "passed"),
        ("One of the 12 tests fails", "One of the 12 tests", 1, 12, "failed"),
        ("Two tests fail", "Two tests", 2, None, "failed"),
        ("twenty-two files changed", "twenty-two files", 22, None, ""),
        ("two hundred lines", "two hundred lines", 200, None, ""),
        ("1 test failed", "1 test", 1, None, "failed"),
        ("0 errors", "0 errors", 0, None, ""),
        ("Errors: 0", "Errors: 0", 0, None, ""),
        ("1,234 files", "1,234 files", 1234, None, ""),
        ("1.5k lines of Java", "1.5k lines", 1500, None, ""),
        ("10 new test cases", "10 new test cases", 10, None, ""),
        ("3 test files", "3 test files", 3, None, ""),
        ("5 clippy warnings", "5 clippy warnings", 5, None, ""),
        ("**42** tests", "42** tests", 42, None, ""),
        ("| Tests | 42 |\n|---|---|", "42", 42, None, ""),
        ("42 tests, all passing", "42 tests", 42, None, "passed"),
        ("3 skipped", "3 skipped", 3, None, "skipped"),
    ],
)
def test_count(text: str, found: str, value: float, total: float | None, outcome: str) -> None:
    quantity = next(q for q in numbers(text) if q.kind == "count")
    assert text[quantity.start : quantity.end] == found
    assert (quantity.value, quantity.total, quantity.outcome) == (value, total, outcome)


@pytest.mark.parametrize(
    "text",
    [
        "1. foo tests",  # a list index
        "2) files",
        "Step 1 of 3 tests it.",
        "line 42 files",
        "PR 45 files",
        "#123 tests",
        "utf-8 files",
        "ENT-109 files",
        "v2 tests and 2.1.3 tests",
        "Python 3 tests, Node 20 modules, Go 1.22 packages",
        "404 errors and HTTP 500 errors",
        "$100 files, \u20ac5 tests",
        "10:30 tests, 2026-11-21 files",
        "at 5 seconds per test",
        "test 1 passed its argument on",
        "Tests 1 and 2 pass a mock.",
        "no one tests it",
        "42\n\ntests",
        "Total 42\nTests pass",  # two lines below each other
        "`42 tests`",
        "```\n42 passed\n```",
        "2\u00b2 tests",
        "9" * 400 + " tests",  # more digits than a float has
        "the one-liner tests",
    ],
)
def test_no_count(text: str) -> None:
    assert evidence(text, "count") == []


@pytest.mark.parametrize(
    ("text", "upper", "approximate"),
    [
        ("~90-120 lines", 120, True),
        ("about 90 lines", None, True),
        ("40+ functions", None, True),
        ("90 lines", None, False),
        ("10\u201315 files", 15, False),
    ],
)
def test_range_and_estimate(text: str, upper: float | None, approximate: bool) -> None:
    (quantity,) = numbers(text)
    assert (quantity.upper, quantity.approximate) == (upper, approximate)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 35% faster.", [("35%", "percent-change")]),
        ("down by 70%", [("70%", "percent-change")]),
        ("Coverage is 85%.", [("85%", "percent")]),
        ("100% test coverage", [("100%", "percent")]),
        ("I rate it 9/10.", [("9/10", "score")]),
        ("It is 3x faster.", [("3x faster", "times-faster")]),
        ("Throughput is up 10x.", [("10x", "times-faster")]),
        ("All 42 tests pass.", [("42 tests", "test-result")]),
        ("42 passed, 3 failed", [("42 passed", "test-result"), ("3 failed", "test-result")]),
        ("I added 6 tests.", [("6 tests", "test-count")]),
        ("I changed 14 files.", [("14 files", "file-count")]),
        ("3 errors remain", [("3 errors", "error-count")]),
        ("The 42 tests pass.", [("42 tests", "test-result")]),
    ],
)
def test_candidates(text: str, expected: list[tuple[str, str]]) -> None:
    assert ids(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I am 100% sure.",  # certainty_language
        "The build fails below an 80% threshold.",
        "Set the opacity to 50%.",
        "A 5% rollout comes first.",
        "I ran it 3x in a row.",
        "The first two tests are redundant.",
        "These 3 files are generated.",
        "Run at most 4 tests at once.",
        "If 3 errors occur, the breaker opens.",
        "It lives in two places.",
        "It needs one file.",
        "Only when 3 tests fail it stops.",
        "The parser has to make the next 5 tests pass.",
    ],
)
def test_no_candidates(text: str) -> None:
    assert ids(text) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["id"]))
def test_examples_of_the_pattern_file(entry: dict[str, list[str]]) -> None:
    name = str(entry["id"]).removeprefix("quantity.")
    for hit in entry["hits"]:
        wanted = hit[hit.index("{") + 1 : hit.index("}")]
        assert (wanted, name) in ids(hit.replace("{", "").replace("}", ""))
    for miss in entry["misses"]:
        assert name not in [found for _evidence, found in ids(miss)]


PIECES = st.sampled_from(
    "70% 9/10 3x faster 42 tests pass ten of the files 12 of 15 10-20 1,234 2026-11-21 line 5 "
    "**8** _9_ 4.5 out of 10 Errors: 0 (3/3) utf-8 #7 twenty-two \u00b2 \u2013 % / : . , - |".split(
        " "
    )
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=30).map(" ".join),
    st.lists(PIECES, max_size=30).map("\n\n".join),
    st.text("0123456789%/.,:-\u2013x k*_()[]#$\n tesfilpa\u00b2", max_size=80),
    st.text(max_size=80),
)


@given(TEXTS)
def test_spans_are_valid_sorted_and_apart(text: str) -> None:
    found = numbers(text)
    assert all(0 <= q.start < q.end <= len(text) for q in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(any(c.isalnum() for c in text[q.start : q.end]) for q in found)


@given(TEXTS.filter(lambda text: "`" not in text and "~" not in text and "<" not in text))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = numbers(text)
    shift = len(FENCE) + 2
    assert numbers(f"{text}\n\n{FENCE}") == found
    moved = [q.replace(start=q.start + shift, end=q.end + shift) for q in found]
    assert numbers(f"{FENCE}\n\n{text}") == moved
