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
from tests.support.tables import rows


def references(text: str, *kinds: str) -> list[Reference]:
    found = find_references(text, mask(text).text)
    return [one for one in found if not kinds or one.kind in kinds]


def cited(text: str, *kinds: str) -> list[str]:
    return [text[one.start : one.end] for one in references(text, *kinds)]


def path(text: str) -> tuple[object, ...]:
    (one,) = references(text, PATH)
    return text[one.start : one.end], one.path, one.line, one.end_line


def commit(text: str) -> tuple[object, ...]:
    (one,) = references(text, COMMIT, HASH)
    assert one.path == text[one.start : one.end]
    return one.path, one.kind


def candidates(text: str) -> list[object]:
    found = reference_candidates(references(text))
    return [[text[it.start : it.end], name.removeprefix("reference.")] for name, it in found]


def command_that_was_run(text: str) -> bool:
    claimed = [text[one.start : one.end] for one in references(text, COMMAND) if one.claimed]
    assert claimed in ([], ["npm test"])
    return bool(claimed)


def quote(text: str, quotes: list[str]) -> bool:
    found = [one.path.strip() for one in references(text, QUOTE)]
    return found == [one for one in quotes if len(one) >= 15 or one in found]


test_row = rows(
    __file__,
    path=path,
    no_path=lambda text: not cited(text, PATH),
    commit=commit,
    no_commit=lambda text: not cited(text, COMMIT, HASH),
    command=lambda text: cited(text, COMMAND),
    output=lambda fence: len(references(f"I ran it:\n\n{fence}\n", OUTPUT)) == 1,
    locates=lambda text: bool(locations(text, mask(text).text, [(0, len(text))])),
    candidates=candidates,
    command_that_was_run=command_that_was_run,
    quote=quote,
)


def test_a_block_is_cited_by_the_line_before_it() -> None:
    text = "The output was:\n\n```\nerror: quota exceeded\n```\n"
    (one,) = references(text, QUOTE)
    assert text[one.start : one.end] == "The output was:"
    assert "error: quota exceeded" in one.path
