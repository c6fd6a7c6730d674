"""What a message refers to: paths, lines, commits, commands and pasted output."""

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
    found = reference_candidates(references(text))
    named = [[text[one.start : one.end], name.removeprefix("reference.")] for name, one in found]
    assert named == expected


@table
def test_command_that_was_run(text: str, was_run: bool) -> None:
    claimed = [text[one.start : one.end] for one in references(text, COMMAND) if one.claimed]
    assert claimed == ["npm test"] * was_run


@table
def test_quote(text: str, quotes: list[str]) -> None:
    found = [one.path.strip() for one in references(text, QUOTE)]
    assert found == [one for one in quotes if len(one) >= 15 or one in found]


def test_a_block_is_cited_by_the_line_before_it() -> None:
    text = "The output was:\n\n```\nerror: quota exceeded\n```\n"
    (one,) = references(text, QUOTE)
    assert text[one.start : one.end] == "The output was:"
    assert "error: quota exceeded" in one.path
