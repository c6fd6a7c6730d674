"""The language stage takes a time that grows with the length of a message, whatever is in it."""

from __future__ import annotations

import time

import pytest

from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.scan.find import find

SMALL, FACTOR = 6_000, 8
TEXTS = {
    "one paragraph with inline code": "The `parser` reads `src/a.py:12` and `b`, then goes on. ",
    "one sentence": "and I think all 12 tests pass because the parser is probably not fixed ",
    "one line of hedges": "I think it is **probably** fixed maybe ",
    "one line of quotes": "The output says \"3 passed\" and 'x' prints `ok`: ",
    "runs of backticks": "` `` ``` a ",
    "unclosed brackets": "[a](b [c]( <d <!-- ",
    "one list": "- All 12 tests pass.\n  - 2 of 12 tests fail, `x`:\n",
    "headings": "# Backend\n\nAll tests pass. It is not fixed.\n\n## Next `x`\n",
    "one table": "| all tests | pass | 12 |\n",
    "numbers": "3 of 4, 12%, 3x, 5 tests, 12/14 ",
}


def seconds(text: str, scanner: Scanner) -> float:
    begun = time.process_time()
    find(text, scanner, (), lambda _reference: None)
    return time.process_time() - begun


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_it_is_linear(text: str) -> None:
    """Quadratic work would take ``FACTOR`` times as long again."""
    scanner = Scanner(shipped_rules())
    small = (text * SMALL)[:SMALL]
    best = min(seconds(small, scanner) for _ in range(3))
    large = min(seconds((text * SMALL)[: SMALL * FACTOR], scanner) for _ in range(2))
    assert large < 3 * FACTOR * best
