"""What a message refers to: paths, lines, commits, commands and pasted output."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from groundwire.bare import locations
from groundwire.scan.references import (
    COMMAND,
    COMMIT,
    HASH,
    OUTPUT,
    PATH,
    QUOTE,
    Reference,
    find_references,
    reference_candidates,
)
from groundwire.text.mask import mask
from tests.support.tables import table

FENCE = "```python\nopen('src/a.py:3')  # commit abc1234\n```"


def references(text: str, *kinds: str) -> list[Reference]:
    found = find_references(text, mask(text).text)
    return [one for one in found if not kinds or one.kind in kinds]


def cited(text: str, *kinds: str) -> list[str]:
    return [text[one.start : one.end] for one in references(text, *kinds)]


@table
def test_path(text: str, evidence: str, path: str, line: int, end_line: int) -> None:
    (one,) = references(text, PATH)
    assert text[one.start : one.end] == evidence
    assert (one.path, one.line, one.end_line) == (path, line, end_line)


@table
def test_no_path(text: str) -> None:
    assert cited(text, PATH) == []


@table
def test_commit(text: str, evidence: str, kind: str) -> None:
    (one,) = references(text, COMMIT, HASH)
    assert (text[one.start : one.end], one.path, one.kind) == (evidence, evidence, kind)


@table
def test_no_commit(text: str) -> None:
    assert cited(text, COMMIT, HASH) == []


@table
def test_command(text: str, evidence: list[str]) -> None:
    assert cited(text, COMMAND) == evidence


@table
def test_output(fence: str, is_output: bool) -> None:
    assert len(references(f"I ran it:\n\n{fence}\n", OUTPUT)) == is_output


@table
def test_locates(text: str, locates: bool) -> None:
    assert bool(locations(text, mask(text).text, [(0, len(text))])) is locates


@table
def test_candidates(text: str, expected: list[list[str]]) -> None:
    assert [[*one] for one in candidates(text)] == expected


def candidates(text: str) -> list[tuple[str, str]]:
    found = reference_candidates(references(text))
    return [(text[one.start : one.end], name.removeprefix("reference.")) for name, one in found]


PIECES = st.sampled_from(
    "src/a.py:12 `b.go` `npm test` commit 1a2b3c4d `1a2b3c4d` Node.js and/or 10/10 x.ts(3,4) : / . "
    "line 3 of c.rs (line 9) C:\\d.cs:4 a/b/ # * ` ``` \u00b2 :12 #L3 Makefile:2".split(" ")
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=30).map(" ".join),
    st.lists(PIECES, max_size=30).map("\n".join),
    st.text("ab1./\\:#L-`~*()\n ,x\u00b2", max_size=80),
    st.text(max_size=80),
)


@given(TEXTS)
def test_spans_are_valid_and_apart_within_a_kind(text: str) -> None:
    found = references(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)
    for kind in (PATH, COMMIT, HASH, COMMAND, OUTPUT):
        ends = [(one.start, one.end) for one in found if one.kind == kind]
        assert all(a[1] <= b[0] for a, b in pairwise(ends))


@given(TEXTS.filter(lambda text: "`" not in text and "~" not in text))
def test_a_code_fence_changes_nothing(text: str) -> None:
    found = references(text)
    shift = len(FENCE) + 2
    assert references(f"{text}\n\n{FENCE}") == found
    moved = [one.replace(start=one.start + shift, end=one.end + shift) for one in found]
    assert references(f"{FENCE}\n\n{text}") == moved


def run(text: str) -> list[str]:
    found = find_references(text, mask(text).text)
    return [text[one.start : one.end] for one in found if one.kind == COMMAND and one.claimed]


def quoted(text: str) -> list[str]:
    return [one.path for one in find_references(text, mask(text).text) if one.kind == QUOTE]


@table
def test_command_that_was_run(text: str, was_run: bool) -> None:
    assert run(text) == ["npm test"] * was_run


@table
def test_quote(text: str, quotes: list[str]) -> None:
    found = [one.strip() for one in quoted(text)]
    assert found == [one for one in quotes if len(one) >= 15 or one in found]


def test_a_block_is_cited_by_the_line_before_it() -> None:
    text = "The output was:\n\n```\nerror: quota exceeded\n```\n"
    (one,) = [one for one in find_references(text, mask(text).text) if one.kind == QUOTE]
    assert text[one.start : one.end] == "The output was:"
    assert "error: quota exceeded" in one.path
