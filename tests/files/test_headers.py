"""Score headers in text: their exact lines, their place, idempotence, nothing else lost."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.base.errors import FileError
from groundwire_confidence.headers import front_matter, headers, json_header
from groundwire_confidence.headers.front_matter import metadata_of, metadata_problems, with_metadata
from groundwire_confidence.headers.headers import HTML, check_header, render, with_header
from groundwire_confidence.headers.score import Score, two_decimals
from groundwire_confidence.reinforcement.formulas import Modifiers
from tests.support.tables import rows, table, tables

TABLES = tables(__file__)
DAY = "2026-03-20"
#: The score of the header that the requirement prints; vector 004-V12.
SCORE = Score(0.707, 0.08, 0.05, Modifiers(True, True, 0.0, True), "M2")
PLAIN = TABLES["plain"]
CODE_SCORE = Score(modifiers=Modifiers(code_refactor=0.003, vv_integration=True), milestone="M3")
CODE = TABLES["code"]
SLASHED = CODE.replace("# ", "// ")


def test_the_headers_of_the_requirement() -> None:
    """R004-18 and R004-19, to the letter."""
    assert render(HTML, SCORE, DAY, "\n") == PLAIN
    assert render(headers.HASH, CODE_SCORE, DAY, "\n") == CODE
    assert render(headers.SLASHES, CODE_SCORE, DAY, "\n") == SLASHED


MATTER = "---\ntitle: x\n---\n"


@table
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=repr)
def test_place(style: str, before: str, after: str, line_end: str) -> None:
    text = (before + after).replace("\n", line_end)
    header = render(style, SCORE, DAY, line_end)
    written = with_header(text, style, SCORE, DAY, line_end)
    assert written == before.replace("\n", line_end) + header + after.replace("\n", line_end)
    assert with_header(written, style, SCORE, DAY, line_end) == written
    assert check_header(written, style) == ""


def test_a_header_in_front_of_front_matter_is_put_behind_it() -> None:
    wrong = PLAIN + MATTER + "text\n"
    assert "in front" in check_header(wrong, HTML)
    assert with_header(wrong, HTML, SCORE, DAY, "\n") == MATTER + PLAIN + "text\n"


words = st.text(st.sampled_from("ab#-/<>!: \t|\n\r%\u00e9"), max_size=60)
COMMENTS = ("#!/bin/sh\n", "// @ts-check\n", "---\n", "")
starts = st.sampled_from([MATTER, PLAIN, CODE, SLASHED, *COMMENTS])
modifiers = st.builds(Modifiers, st.booleans(), st.booleans(), st.floats(0, 0.1), st.booleans())
parts = (st.floats(0.5, 0.7), st.floats(0, 1), st.floats(0, 1))
scores = st.builds(Score, *parts, modifiers, st.sampled_from(["M1", "M2", "M3", "M4"]))


@given(starts, words, st.sampled_from(sorted(set(headers.STYLES.values()))), scores, scores)
@example("", "", HTML, SCORE, SCORE)
@example(PLAIN, MATTER, HTML, SCORE, CODE_SCORE)
@example("---\n", "%", HTML, SCORE, SCORE)
@example("---\n", "%", headers.YAML, SCORE, SCORE)
def test_writing_is_idempotent_and_loses_nothing(
    start: str, rest: str, style: str, first: Score, second: Score
) -> None:
    text = start + rest
    line_end = "\r\n" if "\r\n" in text else "\n"
    once = with_header(text, style, first, DAY, line_end)
    assert with_header(once, style, first, "2027-01-01", line_end) == once
    assert check_header(once, style) == ""
    other = with_header(once, style, second, DAY, line_end)
    assert with_header(other, style, first, DAY, line_end) == once
    span = headers.find_header(once, style)
    assert span is not None
    had = headers.find_header(text, style)
    body = text if had is None else text[: had[0]] + text[had[1] :]
    kept = once[: span[0]] + once[span[1] :]
    # at most one line end is added, behind a line that had none
    same = kept.replace(line_end, "", 1) == body.replace(line_end, "", 1)
    assert same or kept in (body, body + line_end)
    assert len(kept) - len(body) in (0, len(line_end))


TODAY = (2026, 4, 1)
GOOD = TABLES["good"]
BLOCK = "data_metadata:\n" + "".join(f"  {key}: {value}\n" for key, value in GOOD.items())


def reading(text: str) -> dict[str, str]:
    found = metadata_of(text, (0, len(text)))
    assert found is not None
    return found.values


def test_the_record_of_the_requirement() -> None:
    assert front_matter.validated_values("", (2026, 3, 20)) == GOOD
    assert metadata_problems(GOOD, TODAY) == []
    assert reading(f"---\ntitle: x\n{BLOCK}---\n") == GOOD


def problem(values: dict[str, str], said: str) -> bool:
    [found] = metadata_problems(values, TODAY)
    return said in found


def written(before: str, after: str, whole: bool) -> bool:
    for end in ("\n", "\r\n"):
        text = before.replace("\n", end)
        once = with_metadata(text, GOOD, end, whole=whole)
        assert with_metadata(once, GOOD, end, whole=whole) == once
        assert once == after.replace("\n", end)
    return True


def on_one_line(before: str, after: str | None) -> bool:
    once = json_header.with_confidence(before, FIELDS, "\n")
    assert json_header.confidence_of(once) == FIELDS
    return after is None or once == after.replace("@", json.dumps(FIELDS))


FIELDS = TABLES["fields"]
test_row = rows(
    __file__,
    two_decimals=two_decimals,
    check=lambda text, style, said: said in check_header(text, style),
    span=lambda text, end: front_matter.front_matter_span(text) == (end and (0, end)),
    read=reading,
    there_is_none=lambda text: metadata_of(text, (0, len(text))) is None,
    unreadable=lambda text: metadata_of(text, (0, len(text))),
    problems=problem,
    written=written,
    mapping=front_matter.is_mapping,
    on_one_line=on_one_line,
    no_json=lambda text, times: json_header.is_object(text * times),
)


lines = st.lists(
    st.sampled_from(["---", "...", "a: 1", "data_metadata:", "  created: x", "", "# c", "- x"]),
    max_size=8,
).map(lambda parts: "".join(part + "\n" for part in parts))


@given(lines, st.booleans())
def test_writing_again_changes_nothing(text: str, whole: bool) -> None:
    if whole and not front_matter.is_mapping(text):
        return  # such a file gets a sidecar
    try:
        once = with_metadata(text, GOOD, "\n", whole=whole)
    except FileError:
        return
    assert with_metadata(once, GOOD, "\n", whole=whole) == once
    left = [line for line in text.splitlines() if "created" not in line]
    kept = iter(once.splitlines())
    assert all(line in kept for line in left)  # in their order


numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
objects = st.dictionaries(st.text(max_size=5), values, max_size=4)


@given(objects, st.sampled_from([None, 0, 1, 4, "\t"]), st.dictionaries(st.text(), st.floats(0, 1)))
def test_the_rest_stays(data: dict[str, Any], indent: Any, fields: dict[str, float]) -> None:
    text = json.dumps(data, indent=indent)
    written = json_header.with_confidence(text, fields, "\n")
    assert json.loads(written) == {**data, json_header.KEY: fields}
    assert json_header.with_confidence(written, fields, "\n") == written
    if data:  # what stood behind the brace stands there still
        assert written.endswith(text.lstrip("{").lstrip())
