"""``_confidence`` in JSON: set without touching anything else in the text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import FileError
from groundwire.files.json_header import KEY, confidence_of, is_object, with_confidence
from tests.support.tables import table

FIELDS = {
    "score": 0.997,
    "created": "2026-03-20",
    "next_review": "2026-09-20",
    "decay_rate": 0.001,
    "human_validated": True,
}
LINE = json.dumps(FIELDS)


@table
def test_on_one_line(before: str, after: str | None) -> None:
    written = with_confidence(before, FIELDS, "\n")
    if after is not None:
        assert written == after.replace("@", LINE)
    assert confidence_of(written) == FIELDS


def test_the_object_of_the_requirement() -> None:
    """R004-20 in the indentation of the file."""
    text = '{\n  "rows": [1e2, 1.0]\n}\n'
    assert with_confidence(text, FIELDS, "\n") == (
        "{\n"
        '  "_confidence": {\n'
        '    "score": 0.997,\n'
        '    "created": "2026-03-20",\n'
        '    "next_review": "2026-09-20",\n'
        '    "decay_rate": 0.001,\n'
        '    "human_validated": true\n'
        "  },\n"
        '  "rows": [1e2, 1.0]\n'
        "}\n"
    )


def test_tabs_and_line_ends_of_windows() -> None:
    written = with_confidence('{\r\n\t"a": 1\r\n}', {"score": 1.0}, "\r\n")
    assert written == ('{\r\n\t"_confidence": {\r\n\t\t"score": 1.0\r\n\t},\r\n\t"a": 1\r\n}')


def test_an_empty_object_on_two_lines() -> None:
    written = with_confidence("{\n}\n", {"score": 1.0}, "\n")
    assert json.loads(written) == {KEY: {"score": 1.0}}
    assert with_confidence(written, {"score": 1.0}, "\n") == written


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
    written = with_confidence(text, fields, "\n")
    assert json.loads(written) == {**data, KEY: fields}
    assert with_confidence(written, fields, "\n") == written
    if data:  # what stood behind the brace stands there still
        assert written.endswith(text.lstrip("{").lstrip())


@given(objects, st.dictionaries(st.text(), st.floats(0, 1)))
def test_a_present_value_is_replaced_in_its_place(
    data: dict[str, Any], fields: dict[str, float]
) -> None:
    text = json.dumps({**data, KEY: {"old": True}, "z": 1}, indent=2)
    written = with_confidence(text, fields, "\n")
    assert json.loads(written) == {**data, KEY: fields, "z": 1}
    assert list(json.loads(written)) == list(json.loads(text))


NOT_JSON = ["", "{", '{"a": NaN}', "{'a': 1}", '{"a": 1} x', "[" * 100_000, "// c\n{}"]


@pytest.mark.parametrize("text", NOT_JSON, ids=lambda text: text[:10])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(FileError, match="not JSON"):
        is_object(text)


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "null"])
def test_what_is_no_object(text: str) -> None:
    assert not is_object(text)


def test_a_key_that_holds_something_else() -> None:
    with pytest.raises(FileError, match="_confidence: allowed: an object"):
        confidence_of('{"_confidence": 0.9}')
    assert confidence_of('{"a": {"_confidence": {}}}') is None
