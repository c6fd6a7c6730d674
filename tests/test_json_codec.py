"""The adapter over the C scanner gives what the library gives."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base import json_codec
from tests.support.tables import table

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_both_ways_agree_with_the_library(value: object) -> None:
    text = json_codec.dumps(value)
    assert json.loads(text) == value
    assert json_codec.loads(json.dumps(value, ensure_ascii=False)) == value
    assert json_codec.loads(text.encode()) == value


@given(st.text())
def test_any_text_is_decoded_or_refused_like_the_library_does(text: str) -> None:
    try:
        wanted = json.loads(text, parse_constant=pytest.fail)
    except (ValueError, pytest.fail.Exception):
        with pytest.raises(ValueError, match=r".+"):
            json_codec.loads(text)
    else:
        assert json_codec.loads(text) == wanted


@table
def test_broken_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        json_codec.loads(text)


def test_what_is_no_json_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="set"):
        json_codec.dumps({1})
    with pytest.raises(ValueError, match="JSON"):
        json_codec.dumps(float("inf"))


def test_the_first_value_and_where_it_ends() -> None:
    assert json_codec.decode_first(' {"a": 1} rest') == ({"a": 1}, 9)
