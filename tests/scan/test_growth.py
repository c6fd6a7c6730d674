"""The language stage takes a time that grows with the length of a message, whatever is in it."""

from __future__ import annotations

import pytest

from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.scan.find import find
from tests.support.growth import LINEAR, Work, seconds, steepness

SMALL, FACTOR = 6_000, 8
SCANNER = Scanner(shipped_rules())
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
    "one row": "| all tests pass ",
    "one paragraph without a stop": "and the worker might be slow because no cache is set up ",
    "one word a line": "all\n",
    "bullets": "- all tests pass\n",
    "backticks": "`",
    "words all": "all ",
    "words not": "not ",
    "cited files": "a/b.py:3 ",
    "stops": ". ",
    "brackets": "[",
    "emphasis": "**a ",
    "comments": "<!-- ",
    "numbers": "3 of 4, 12%, 3x, 5 tests, 12/14 ",
}


def found_in(text: str) -> Work:
    return lambda: find(text, SCANNER, cited=True)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_it_is_linear(text: str) -> None:
    def work(size: int, _round: int) -> Work:
        return found_in((text * SMALL)[:size])

    assert steepness(work, SMALL, SMALL * FACTOR) <= LINEAR


def test_runs_of_backticks_that_nothing_closes_are_linear() -> None:
    """Each run has a length of its own, so that none is closed."""
    texts = [" ".join("`" * length for length in range(1, runs)) for runs in (150, 420)]
    of_size = {len(text): text for text in texts}
    assert steepness(lambda size, _: found_in(of_size[size]), *of_size) <= LINEAR


#: Half a megabyte in the shapes that are hardest to split.
HUGE = {
    "one paragraph without a stop": "lorem ipsum dolor sit amet " * 18_500,
    "20,000 lines of one word": "word\n" * 20_000,
    "10,000 bullets": "- all tests pass\n" * 10_000,
    "nothing but backticks": "`" * 500_000,
    "backticks and letters": "`a" * 50_000,
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_huge_text_takes_seconds_at_most(text: str) -> None:
    """As much as is allowed for a machine under load; quadratic work would take minutes."""
    assert seconds(found_in(text)) < 20
