"""Statements of one message that exclude each other, and pairs that only look like it."""

from __future__ import annotations

import tomllib
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.contradiction import find_contradictions
from groundwire.scan.statements import stating_sentences
from groundwire.text.fold import Folded, fold
from groundwire.text.mask import mask
from groundwire.text.segment import sentence_spans
from tests.support.growth import LINEAR, Work, steepness

PATTERNS = Path(__file__).parents[2] / "patterns" / "internal_contradiction.toml"
ENTRIES = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))["marker"]
FENCE = "```text\nAll tests pass.\nTwo tests fail.\n```"


def spots(folded: Folded) -> list[tuple[int, int, int, int, str]]:
    """Return what is found in a message that is folded."""
    sentences = sentence_spans(folded)
    stating = stating_sentences(folded, sentences)
    return find_contradictions(folded, sentences, stating) if stating else []


def pairs(text: str) -> list[tuple[str, str, str]]:
    """Return the later statement, the earlier one, and the last part of the marker id."""
    folded = fold(text, mask(text))
    found = []
    for start, end, other, other_end, name in spots(folded):
        later = slice(*folded.span(start, end))
        earlier = slice(*folded.span(other, other_end))
        found.append((text[later], text[earlier], name.removeprefix("contradiction.")))
    return found


@pytest.mark.parametrize(
    ("text", "later", "earlier"),
    [
        ("All tests pass. I left. Two tests fail.", "Two tests fail", "All tests pass"),
        ("All tests pass. The tests do not pass.", "The tests do not pass", "All tests pass"),
        ("All tests pass. The tests don\u2019t pass.", "The tests don\u2019t pass",
         "All tests pass"),
        ("All tests pass and lint is clean. 3 tests fail.", "3 tests fail", "All tests pass"),
        ("All tests now pass. Two tests still fail.", "Two tests still fail", "All tests now pass"),
        ("All tests are passing! One test fails.", "One test fails", "All tests are passing"),
        ("Every check passes. Not all checks pass.", "Not all checks pass", "Every check passes"),
        ("No tests fail. Three tests fail.", "Three tests fail", "No tests fail"),
        ("0 tests fail. 4 tests fail.", "4 tests fail", "0 tests fail"),
        ("All tests passed. Two tests failed.", "Two tests failed", "All tests passed"),
        ("**All tests pass.**\n\nOne test fails.", "One test fails", "All tests pass"),
        ("- All unit tests pass\n- Two unit tests fail", "Two unit tests fail",
         "All unit tests pass"),
        ("The login bug is fixed. The login bug is still broken.", "The login bug is still broken",
         "The login bug is fixed"),
        ("`parse()` is fixed. `parse()` is still broken.", "`parse()` is still broken",
         "`parse()` is fixed"),
        ("The rate limiter works. The rate limiter doesn't work.", "The rate limiter doesn't work",
         "The rate limiter works"),
        ("CI is green. The docs are new-ish. CI is red.", "CI is red", "CI is green"),
        ("The build passes. The build fails.", "The build fails", "The build passes"),
        ("The migration is complete. The migration is incomplete.", "The migration is incomplete",
         "The migration is complete"),
        ("The Go client is implemented. The Go client is not implemented.",
         "The Go client is not implemented", "The Go client is implemented"),
        ("No errors remain. 3 errors remain.", "3 errors remain", "No errors remain"),
        ("There are no errors. There are still 3 errors.", "There are still 3 errors",
         "There are no errors"),
        ("No type errors. Two type errors remain.", "Two type errors remain", "No type errors"),
        ("I ran the test suite. I have not run the test suite.", "I have not run the test suite",
         "I ran the test suite"),
        ("I verified the output. I did not verify the output.", "I did not verify the output",
         "I verified the output"),
        ("The `/a` route requires a key. The `/a` route does not require a key.",
         "The `/a` route does not require a key", "The `/a` route requires a key"),
        # the other order counts only when the first statement says that it is still so
        ("Two tests still fail. All tests pass.", "All tests pass", "Two tests still fail"),
        # headings that name no part of the project do not separate
        ("## Summary\nAll tests pass.\n\n## Known issues\nTwo tests fail.", "Two tests fail",
         "All tests pass"),
        ("Backend: all tests pass.\n\nBackend: two tests fail.", "two tests fail",
         "all tests pass"),
    ],
)  # fmt: skip
def test_opposite(text: str, later: str, earlier: str) -> None:
    assert pairs(text) == [(later, earlier, "polarity")]


@pytest.mark.parametrize(
    ("text", "later", "earlier"),
    [
        ("All 12 tests pass. 10 of 12 tests pass.", "10 of 12 tests pass", "All 12 tests pass"),
        ("All tests pass. 11 of 14 tests pass.", "11 of 14 tests pass", "All tests pass"),
        ("All 12 tests pass. All 14 tests pass.", "All 14 tests pass", "All 12 tests pass"),
        ("All 12 tests passed. 10 of the 12 tests passed.", "10 of the 12 tests passed",
         "All 12 tests passed"),
        ("The 12 unit tests pass. All 13 unit tests pass.", "All 13 unit tests pass",
         "The 12 unit tests pass"),
        ("11 of 12 tests pass. 9 of 12 tests pass.", "9 of 12 tests pass", "11 of 12 tests pass"),
        ("Twelve of 12 specs pass. Ten of 12 specs pass.", "Ten of 12 specs pass",
         "Twelve of 12 specs pass"),
        ("The suite has 12 tests. The suite has 14 tests.", "The suite has 14 tests",
         "The suite has 12 tests"),
        ("The Java module contains 3 classes. The Java module contains 4 classes.",
         "The Java module contains 4 classes", "The Java module contains 3 classes"),
        ("The `ui` crate has a total of 9 files. The `ui` crate has 8 files.",
         "The `ui` crate has 8 files", "The `ui` crate has a total of 9 files"),
        ("Each of the 12 tests passes. 3 of 12 tests pass.", "3 of 12 tests pass",
         "Each of the 12 tests passes"),
        ("All 1,200 tests pass. 1,100 of 1,200 tests pass.", "1,100 of 1,200 tests pass",
         "All 1,200 tests pass"),
        ("- All 12 tests pass\n- 10 of 12 tests pass", "10 of 12 tests pass", "All 12 tests pass"),
        ("The test suite includes 5 suites. The test suite includes 6 suites.",
         "The test suite includes 6 suites", "The test suite includes 5 suites"),
        ("All five checks pass. All six checks pass.", "All six checks pass",
         "All five checks pass"),
    ],
)  # fmt: skip
def test_other_number(text: str, later: str, earlier: str) -> None:
    assert pairs(text) == [(later, earlier, "number")]


@pytest.mark.parametrize(
    "text",
    [
        # field 3 R: contrast that the peer took for contradiction
        "Use the cache flag in production. Do not use the cache flag in tests.",
        "Step 1 of 3 is done. I moved on. Step 2 is not done.",
        # other places
        "In production all tests pass. In staging two tests fail.",
        "In production, all tests pass. In staging, two tests fail.",
        "On main the build passes. On this branch the build fails.",
        "All tests pass on Linux. Two tests fail on Windows.",
        "The fix works. The fix does not work on Windows.",
        "The suite passes locally. The suite does not pass in CI.",
        "Python 3.11: all tests pass. Python 3.12: two tests fail.",
        "Node 18 passes. Node 20 fails.",
        "## Backend\nAll tests pass.\n\n## Frontend\nTwo tests fail.",
        "## A\n### Tests\nAll tests pass.\n\n## B\n### Tests\nTwo tests fail.",
        "**Backend**\n\nAll tests pass.\n\n**Frontend**\n\nTwo tests fail.",
        "- Backend\n  - All tests pass\n- Frontend\n  - Two tests fail",
        "- Backend: all tests pass\n- Frontend: two tests fail",
        "1. **Parser** - all tests pass.\n2. **Lexer** - two tests fail.",
        "On the API:\n- All tests pass\n\nOn the CLI:\n- Two tests fail",
        # other subjects
        "All unit tests pass. Two integration tests fail.",
        "`a.py` is fixed. `b.py` is not fixed.",
        "Bug 1 is fixed. Bug 2 is not fixed.",
        "Phase 1 is complete. Phase 2 is incomplete.",
        "The old parser is thread-safe. The new parser is not thread-safe.",
        "The Python client is done. The Rust client is not done.",
        "The API returns JSON. The CLI does not return JSON.",
        "I ran the unit tests. I did not run the integration tests.",
        "No lint errors. 3 type errors remain.",
        "All tests pass. Tests are missing for the CLI.",
        "The feature works. One case does not work.",
        "The suite has 12 tests. The example has 14 tests.",
        # the subject may be another one each time
        "It works. It does not work.",
        "The test passes. The test fails.",
        "The request succeeds. The request fails.",
        "The file is empty. The file is not empty.",
        "A token is required. A token is not required.",
        "This is done. This is not done.",
        # before and after
        "The tests were failing. All tests pass.",
        "Two tests fail. I fixed the import. All tests pass.",
        "Before the fix two tests fail. All tests pass.",
        "All tests pass. Initially two tests failed.",
        "First, all tests pass. Then two tests fail.",
        "Before:\n- Two tests still fail.\n\nAfter:\n- All tests pass.",
        "10 of 12 tests pass. I fixed the mock. All 12 tests pass.",
        "10 of 12 tests pass. I fixed one. 11 of 12 tests pass.",
        "The crash no longer occurs. The crash occurs.",
        "All tests pass. Two tests failed.",  # present and past
        # conditions, possibilities, questions, instructions, reports
        "If the cache is cold, two tests fail. All tests pass.",
        "All tests pass. Without the patch two tests fail.",
        "All tests should pass. Two tests fail.",
        "All tests pass. Do two tests fail?",
        "I think the parser is thread-safe. The parser is not thread-safe.",
        "Commit the lock file. Don't commit the lock file.",
        "Never push the tag. Push the tag.",
        'All tests pass. The README says "two tests fail".',
        "Agent 1 says all tests pass. Agent 2 says two tests fail.",
        # options and cases
        "### Option A\nAll tests pass.\n\n### Option B\nTwo tests fail.",
        "Option A: the user cache is shared. Option B: the user cache is not shared.",
        "Test cases:\n- The access token is valid.\n- The access token is not valid.",
        "All tests pass \u2192 merge. Two tests fail \u2192 fix.",
        # what a sentence itself sets against each other
        "All tests pass, but two tests fail.",
        "All tests pass, two tests fail.",
        "42 tests passed. 3 tests failed.",
        "Not all tests fail. Two tests fail.",
        "12 tests pass. 2 tests fail.",
        "I fixed 3 errors. I fixed 2 errors.",
        "All 12 unit tests pass. All 4 integration tests pass.",
        # no prose
        "All tests pass.\n\n> Two tests fail.",
        "All tests pass.\n```\nTwo tests fail.\n```",
        "| All tests pass | yes |\n|---|---|\n| Two tests fail | no |",
        "## All tests pass\n\nTwo tests fail.",
        "<!-- All tests pass. --> Two tests fail.",
    ],
)
def test_no_contradiction(text: str) -> None:
    assert pairs(text) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["id"]))
def test_examples_of_the_pattern_file(entry: dict[str, list[str]]) -> None:
    name = str(entry["id"]).removeprefix("contradiction.")
    for hit in entry["hits"]:
        wanted = hit[hit.index("{") + 1 : hit.index("}")]
        found = pairs(hit.replace("{", "").replace("}", ""))
        assert (wanted, name) in [(later, kind) for later, _earlier, kind in found]
    for miss in entry["misses"]:
        assert pairs(miss) == []


PIECES = st.sampled_from(
    [
        *("All tests pass.", "Two tests still fail.", "12 of 14 tests pass.", "No errors remain."),
        *("The suite has 3 tests.", "The suite has 4 tests.", "3 errors remain.", "I ran it."),
        *("## Backend", "- item:", "  - All 3 tests pass", "| a | b |", "> quoted", "**bold**"),
        *("Is it so?", "`x` is fixed.", "`x` fails.", "In CI, two tests fail.", "0 tests"),
        *("not", "there is", "no"),
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=20).map(" ".join),
    st.lists(PIECES, max_size=20).map("\n".join),
    st.lists(PIECES, max_size=20).map("\n\n".join),
    st.text("all tes pfi.no12of#-:*|\n,", max_size=80),
    st.text(max_size=80),
)


@given(TEXTS)
def test_the_later_statement_is_the_evidence(text: str) -> None:
    folded = fold(text, mask(text))
    found = spots(folded)
    for start, end, other, other_end, _name in found:
        assert 0 <= other < other_end <= start < end <= len(folded.text)
        assert folded.text[start:end] == folded.text[start:end].strip()
    assert all(one[1] <= two[0] for one, two in pairwise(found))


@given(TEXTS.filter(lambda text: not any(mark in text for mark in "`~<")))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = pairs(text)
    assert pairs(f"{text}\n\n{FENCE}") == found
    assert pairs(f"{FENCE}\n\n{text}") == found


@pytest.mark.parametrize(
    "sentence",
    [
        "The module{} handler parses 12 of 15 tests in `a{}.py` and is not done yet. ",
        "All tests pass. Two tests fail. ",
        "The parser{} is fixed. The parser{} is not fixed. ",
        "- item {}\n",
        "  - nested {}\n- item\n",
        "# heading {}\n",
        "there are {} errors, ",
    ],
)
def test_time_grows_with_the_number_of_sentences(sentence: str) -> None:
    def work(count: int, _round: int) -> Work:
        text = "".join(sentence.replace("{}", str(number)) for number in range(count))
        folded = fold(text, mask(text))
        return partial(spots, folded)

    assert steepness(work, 1_000, 4_000) <= LINEAR
