"""The fields of a match as JSON, and offsets in UTF-16 code units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.json_codec import dumps
from groundwire.model import UNSUPPORTED, Factor, Verdict
from groundwire.render.hook_json import match_fields
from groundwire.render.match_json import full_fields, utf16_offsets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches

GRIN = "\U0001f600"
TEXT = GRIN + " I think it is the parser."
#: Any code point, halves of surrogate pairs too, with those beyond the BMP as frequent as the rest.
CHARACTERS = st.one_of(st.characters(), st.characters(min_codepoint=0x10000), st.just("\ud83d"))


def javascript_length(text: str) -> int:
    """Count as JavaScript does, one character at a time."""
    return sum(2 if ord(character) > 0xFFFF else 1 for character in text)


def test_four_fields_in_the_order_of_the_contract(a_match: Matches) -> None:
    assert dumps(match_fields(a_match(TEXT, "I think"))) == (
        '{"kind": "speculation_language", "evidence": "I think", "offset": 2, "confidence": 75}'
    )


def test_full_fields_begin_with_the_contract_and_hold_all_that_led_to_it(a_match: Matches) -> None:
    match = a_match(
        TEXT,
        "I think",
        claim="cause",
        verdict=Verdict(UNSUPPORTED, "nothing ran", "toolu_1", "ls", "a.py"),
        factors=(
            Factor("unrun", 0.5, 0.48, 5, "nothing was run", "toolu_1"),
            Factor("base", 1, -3),
        ),
        context="permissive",
    )
    assert match_fields(match, 0)["offset"] == 0  # an offset, not "none given"
    plain = full_fields(a_match(TEXT, "I think"), 3)
    assert (plain["verdict"], plain["factors"], plain["offset"]) == (None, [], 3)
    fields = full_fields(match)
    assert list(fields)[:4] == ["kind", "evidence", "offset", "confidence"]
    assert {key: fields[key] for key in list(fields)[4:]} == {
        "marker": "speculation.i_think",
        "claim": "cause",
        "strength": "weak",
        "context": "permissive",
        "verdict": {
            "status": "unsupported",
            "why": "nothing ran",
            "call_id": "toolu_1",
            "command": "ls",
            "line": "a.py",
        },
        "factors": [
            {
                "name": "unrun",
                "weight": 0.5,
                "value": 0.48,
                "points": 5,
                "says": "nothing was run",
                "call_id": "toolu_1",
            },
            {"name": "base", "weight": 1, "value": -3, "points": 0, "says": "", "call_id": ""},
        ],
    }


@pytest.mark.parametrize(
    ("text", "offset", "units"),
    [
        ("", 0, 0),
        ("abc", 3, 3),  # the end is an offset, too
        (TEXT, 0, 0),
        (TEXT, 1, 2),
        (TEXT, 2, 3),  # requirement V003-12
        ("\u00e9\u4e16x", 2, 2),  # two and three bytes in UTF-8, one unit each
        ("e\u0301x", 2, 2),  # a combining mark is a unit of its own
        ("\U0010ffff" * 3, 3, 6),
        ("\ud83d\ude00x", 2, 2),  # two halves in a Python string are two units
    ],
)
def test_utf16_offset(text: str, offset: int, units: int) -> None:
    assert utf16_offsets(text, [offset]) == [units]


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_is_an_error(offset: int) -> None:
    with pytest.raises(ValueError, match=f"offset {offset} is outside a text of 3 characters"):
        utf16_offsets("abc", [0, offset])


@given(st.text(CHARACTERS, max_size=40), st.data())
def test_many_offsets_agree_with_counting_character_by_character(
    text: str, data: st.DataObject
) -> None:
    offsets = data.draw(st.lists(st.integers(0, len(text))))
    assert utf16_offsets(text, offsets) == [javascript_length(text[:each]) for each in offsets]
