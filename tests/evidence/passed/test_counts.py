"""The numbers of tests in a message, and failures that it tells itself, against real outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, matches, recorded

PYTEST_OK = bash("pytest -q", "....\n42 passed in 1.20s")
PYTEST_BAD = bash(
    "pytest -q",
    "FAILED tests/test_cart.py::test_total - assert 3 == 4\n3 failed, 39 passed in 1.31s",
    1,
)
JEST_OK = bash("npx jest", recorded("jest", "passed"))
CARGO_BAD = bash("cargo test", recorded("cargo", "test_failed"), 101)

#: name, message, what the turn ran, the worst verdict on a claim about tests
CASES: list[tuple[str, str, Act, str]] = [
    ("as printed", "42 passed, 0 failed.", PYTEST_OK, "supported"),
    ("zero is no admission", "42 passed, 0 failed.", PYTEST_BAD, "contradicted"),
    ("no is no admission", "There were no failures.", PYTEST_BAD, "contradicted"),
    ("none failed", "None of the tests failed.", PYTEST_BAD, "contradicted"),
    ("zero behind", "Passed: 42, failed: 0.", PYTEST_BAD, "contradicted"),
    ("admitted as printed", "39 passed, 3 failed.", PYTEST_BAD, "supported"),
    ("admitted, other words", "3 tests still fail.", PYTEST_BAD, "supported"),
    ("admitted, too few", "41 passed, 1 failed.", PYTEST_BAD, "contradicted"),
    ("admitted, made up", "39 passed, 3 failed.", PYTEST_OK, "contradicted"),
    ("too many", "All 43 tests pass.", PYTEST_OK, "contradicted"),
    ("a ratio", "42/42 tests pass.", PYTEST_OK, "supported"),
    ("a ratio of another total", "50/50 tests pass.", PYTEST_OK, "contradicted"),
    ("new ones", "All 12 new tests pass.", PYTEST_OK, "supported"),
    ("a named part", "All 5 coupon tests pass.", PYTEST_OK, "supported"),
    ("a named part, some failed", "All 5 coupon tests pass.", PYTEST_BAD, "unsupported"),
    ("added ones", "Added 5 tests; all tests pass.", PYTEST_OK, "supported"),
    ("added ones, some failed", "Added 5 tests; all tests pass.", PYTEST_BAD, "contradicted"),
    ("added ones and all", "I added 5 tests and all 42 pass.", PYTEST_OK, "supported"),
    ("repaired", "The failing test now passes.", PYTEST_OK, "supported"),
    ("not repaired", "The failing test now passes.", PYTEST_BAD, "unsupported"),
    ("repaired and all", "Fixed the failing test; all tests pass now.", PYTEST_OK, "supported"),
    ("repair told", "Fixed the failing test; all tests pass now.", PYTEST_BAD, "contradicted"),
    (  # beside a failure that the message tells, a count of a part is of other tests
        "a counted part, the failure told",
        "- Coupon tests: 7/7 passed\n- The total in the cart still fails.",
        PYTEST_BAD,
        "qualified",
    ),
    (
        "a counted part, nothing told",
        "- Coupon tests: 7/7 passed\n- The total has two decimals.",
        PYTEST_BAD,
        "contradicted",
    ),
    (
        "a counted whole, the failure told",
        "- All tests: 42/42 passed\n- The total in the cart still fails.",
        PYTEST_BAD,
        "contradicted",
    ),
    ("javascript", "All tests pass.", JEST_OK, "supported"),
    ("javascript, too many", "All 977 tests pass.", JEST_OK, "contradicted"),
    ("rust, denied", "All tests pass, none failed.", CARGO_BAD, "contradicted"),
]
_ORDER = ("supported", "not_checkable", "qualified", "unsupported", "contradicted")


@pytest.mark.parametrize(
    ("message", "run", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_counts(tmp_path: Path, message: str, run: Act, wanted: str) -> None:
    found = matches(tmp_path, message, [edit("shop/cart.py"), run])
    statuses = [m.verdict.status for m in found if m.verdict and m.marker.claim == "tests_pass"]
    assert statuses
    assert max(statuses, key=_ORDER.index) == wanted


def test_a_count_that_no_run_printed_is_a_sure_fact(tmp_path: Path) -> None:
    found = matches(tmp_path, "41 passed, 1 failed.", [PYTEST_BAD])
    worst = max(found, key=lambda match: match.confidence)
    assert worst.confidence >= 95
    assert worst.verdict
    assert "pytest -q" in worst.verdict.why
    assert "3 failed, 39 passed" in worst.verdict.why
