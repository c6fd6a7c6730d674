"""Which commands a message says were run, and which texts it presents as output."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.scan.references import COMMAND, QUOTE, find_references
from groundwire.text.mask import mask


def run(text: str) -> list[str]:
    found = find_references(text, mask(text).text)
    return [text[one.start : one.end] for one in found if one.kind == COMMAND and one.claimed]


def quoted(text: str) -> list[str]:
    return [one.path for one in find_references(text, mask(text).text) if one.kind == QUOTE]


@pytest.mark.parametrize(
    "text",
    [
        "I ran `npm test` and it passed.",
        "Ran `npm test`: ok",
        "- \u2705 `npm test` passed",
        "I've run `npm test`.",
        "I then ran `npm test`.",
        "I re-ran `npm test` twice.",
        "Fixed the flag and ran `npm test`.",
        "I ran the full suite with `npm test`.",
        "I ran the tests (`npm test`).",
        "I verified it with `npm test`.",
        "Verified via `npm test`.",
        "Tested the change by running `npm test`.",
        "Running `npm test` shows no failures.",
        "Running `npm test` printed a warning.",
        "After I ran `npm test`, the cache was warm.",
        "`npm test` completed.",
        "We executed `npm test`.",
        "- `npm test` \u2705",
        "* `npm test`: \u2714 12 of 12",
    ],
)
def test_command_that_was_run(text: str) -> None:
    assert run(text) == ["npm test"]


@pytest.mark.parametrize(
    "text",
    [
        "Run `npm test`.",
        "To verify, run `npm test`.",
        "You can run `npm test`.",
        "Please check it with `npm test`.",
        "I have not run `npm test`.",
        "I never ran `npm test`.",
        "I would have run `npm test`.",
        "I could have verified it with `npm test`.",
        "If I ran `npm test`, it would fail.",
        "CI ran `npm test`.",
        "The agent ran `npm test`.",
        "You ran `npm test`.",
        "The hook ran `npm test`.",
        "It executed `npm test`.",
        "I added a script that ran `npm test`.",
        "I ran `npm test` earlier.",
        "Yesterday I ran `npm test`.",
        "After `npm test` passed, merge it.",
        "Make sure that `npm test` passed.",
        "`npm test` passes.",  # may say what it will do
        "`npm test` is in `package.json`.",
        "Running `npm test` shows the list of suites.",
        "Running `npm test` printed it if the flag is set.",
        "For example, I ran `npm test`.",
        "| Tests | `npm test` | runs all tests |",
        "| Command | Expected |\n|---|---|\n| `npm test` | passed |",
        "| Feature | Ready |\n|---|---|\n| `npm test` | \u2705 |",
        "| Tests | `npm test` | \u274c failed if the port is taken |",
        "- `npm test` runs all tests",
        "- The script behind `npm test` \u2705",
    ],
)
def test_command_that_is_only_named(text: str) -> None:
    assert run(text) == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The log says `connection refused by 10.0.0.7`.", "connection refused by 10.0.0.7"),
        ('It printed "migration 42 applied".', "migration 42 applied"),
        ("it printed: \u201call rows were copied\u201d", "all rows were copied"),
        ("The error was `TypeError: x is not a function`.", "TypeError: x is not a function"),
        ("The job failed with `permission denied`.", "permission denied"),
        ("The output shows `3 rows were skipped` there.", "3 rows were skipped"),
        ("The terminal output was `no such host`.", "no such host"),
        ("pytest reported `no tests ran in 0.01s`.", "no tests ran in 0.01s"),
        ("`npm test` printed `Tests: 3 failed`.", "Tests: 3 failed"),
        ('The server logged "listening on port 3000".', "listening on port 3000"),
        ("The test output contains `left == right failed`.", "left == right failed"),
    ],
)
def test_quote(text: str, quote: str) -> None:
    assert [one.strip() for one in quoted(text)] == [quote] or len(quote) < 15


@pytest.mark.parametrize(
    "text",
    [
        "The log says `ready`.",
        "The log showed `src/app/main.py`.",
        "The CLI prints `Usage: shop [options]` here.",  # how it behaves
        "Now it printed `a b c d`.",  # a change of behaviour
        "It should have printed `all is well here`.",
        "If it printed `no such table: x`, migrate.",
        "It reads `the config file` first.",
        'The user said "it is broken again".',
        'The heading was "Getting started with shop".',
        "For example, the log says `connection refused by host`.",
        "Previously the log said `connection refused by host`.",
        "The new output was `all rows copied fine`.",
        'I renamed it to "Save and close now".',
        "Output:\n```\n$ ls\nerror: nothing\n```",  # may be an example
        "The config was:\n```python\nerror: nothing\n```",
    ],
)
def test_no_quote(text: str) -> None:
    assert quoted(text) == []


def test_a_block_is_cited_by_the_line_before_it() -> None:
    text = "The output was:\n\n```\nerror: quota exceeded\n```\n"
    (one,) = [one for one in find_references(text, mask(text).text) if one.kind == QUOTE]
    assert text[one.start : one.end] == "The output was:"
    assert "error: quota exceeded" in one.path


PIECES = st.sampled_from(
    'I ran `npm test` the log says printed "a b c d" `x y z w` `` ``` \n ( ) . : and with if'.split(
        " "
    )
)


@given(st.one_of(st.lists(PIECES, max_size=30).map(" ".join), st.text('`"\n rans:', max_size=80)))
def test_spans_are_valid(text: str) -> None:
    found = find_references(text, mask(text).text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
