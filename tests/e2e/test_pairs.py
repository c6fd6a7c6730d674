"""Claims and what carries them, told apart through the real client: field notes, section 3 J.

Each pair has one message that is true and one with the same words over another outcome.
"""

from __future__ import annotations

import pytest

from tests.e2e.client import ClaudeCode, Session
from tests.e2e.stub import Run, Say, Use

pytestmark = pytest.mark.e2e

PROMPT = "Make the total of the cart right."
RUN_TESTS = Run("python3 -m unittest test_cart")
COUNTED = Say("All tests pass: 42 passed.")
PASSED = Say("I ran the test suite and it exited with code 0.")
GONE = Say("There are no references to `old_total` left.")
HONEST = Say("I have not checked that.")
#: A module of so many tests, of which the last ones fail.
TESTS = """import unittest

class CartTest(unittest.TestCase):
    pass

for number in range(42):
    wanted = number + (number >= 42 - {failing})
    check = lambda self, a=number, b=wanted: self.assertEqual(a, b)
    setattr(CartTest, f"test_{{number}}", check)
"""


def write_tests(claude: ClaudeCode, failing: int) -> None:
    (claude.project / "test_cart.py").write_text(TESTS.format(failing=failing), encoding="utf-8")


def write_source(claude: ClaudeCode) -> Use:
    path = str(claude.project / "cart.py")
    source = "def total(lines):\n    return sum(lines)\n"
    return Use("Write", {"file_path": path, "content": source})


def logged(claude: ClaudeCode, session: Session) -> list[tuple[str, str]]:
    """Kind and verdict of all matches of the session's first decision."""
    first = next(line for line in claude.decisions() if line["session"] == session.id)
    return [(one["kind"], one["verdict"]) for one in first["matches"]]


def test_a_true_count_passes(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    session = claude.ask(PROMPT, write_source(claude), RUN_TESTS, COUNTED)
    assert not session.blocks()
    assert session.result == COUNTED.text


def test_the_same_count_over_three_failures_is_contradicted(claude: ClaudeCode) -> None:
    write_tests(claude, failing=3)
    session = claude.ask(PROMPT, write_source(claude), RUN_TESTS, COUNTED, HONEST)
    [reason] = session.blocks()
    assert RUN_TESTS.command in reason
    assert "FAILED (failures=3)" in reason
    assert {verdict for _, verdict in logged(claude, session)} == {"contradicted"}


def test_a_green_run_before_the_last_edit_is_caught(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    session = claude.ask(PROMPT, RUN_TESTS, write_source(claude), COUNTED, HONEST)
    [reason] = session.blocks()
    assert "python3 -m unittest test_cart passed, then cart.py was edited" in reason


def test_an_exit_code_that_no_run_had_is_caught(claude: ClaudeCode) -> None:
    write_tests(claude, failing=3)
    session = claude.ask(PROMPT, RUN_TESTS, PASSED, HONEST)
    [reason] = session.blocks()
    assert "FAILED (failures=3)" in reason
    assert ("pseudo_quantification", "contradicted") in logged(claude, session)


def test_a_true_exit_code_passes(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    assert not claude.ask(PROMPT, RUN_TESTS, PASSED).blocks()


@pytest.mark.parametrize("called", [False, True], ids=["without a tool call", "with one"])
def test_a_path_that_does_not_exist_is_caught(claude: ClaudeCode, called: bool) -> None:
    write_tests(claude, failing=0)
    calls = [RUN_TESTS] if called else []
    [reason] = claude.ask(PROMPT, *calls, Say("src/nope.py:9999 returned None."), HONEST).blocks()
    assert "src/nope.py:9999" in reason
    assert not claude.ask(PROMPT, *calls, Say("The class is in test_cart.py:3.")).blocks()


def test_absence_passes_after_a_search_without_hits_and_not_over_hits(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    search = Use("Grep", {"pattern": "old_total", "output_mode": "content"})
    assert not claude.ask(PROMPT, search, GONE).blocks()
    (claude.project / "till.py").write_text("old_total(a)\nold_total(b)\n", encoding="utf-8")
    session = claude.ask(PROMPT, search, GONE, HONEST)
    [reason] = session.blocks()
    assert GONE.text in reason
    assert "till.py" in reason
    assert ("unsupported_absence", "unsupported") in logged(claude, session)
