"""Front matter and the validation record in it (R004-17)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import FileError
from groundwire.files.front_matter import (
    front_matter_span,
    is_mapping,
    metadata_of,
    metadata_problems,
    validated_values,
    with_metadata,
)

TODAY = (2026, 4, 1)
GOOD = {
    "created": "2026-03-20",
    "validated": "2026-03-20",
    "next_review": "2026-09-20",
    "confidence": "1.0",
    "reviewed_by": "human_agent",
}
BLOCK = "data_metadata:\n" + "".join(f"  {key}: {value}\n" for key, value in GOOD.items())

SPANS = [
    ("---\na: 1\n---\ntext", 13),
    ("---\r\na: 1\r\n---\r\ntext", 16),
    ("---\n---\n", 8),
    ("---\na: 1\n---", 12),
    ("---  \na: 1\n...\n", 15),
    ("---\na: 1\n", None),
    ("----\na: 1\n----\n", None),
    (" ---\na: 1\n---\n", None),
    ("\n---\na: 1\n---\n", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "end"), SPANS, ids=repr)
def test_span(text: str, end: int | None) -> None:
    assert front_matter_span(text) == (None if end is None else (0, end))


def test_the_record_of_the_requirement() -> None:
    assert validated_values("", (2026, 3, 20)) == GOOD
    assert metadata_problems(GOOD, TODAY) == []
    text = f"---\ntitle: x\n{BLOCK}---\n"
    found = metadata_of(text, (0, len(text)))
    assert found is not None
    assert found.values == GOOD


READ = [
    ("data_metadata:\n    created: 2026-03-20 # first\n", {"created": "2026-03-20"}),
    ("data_metadata: # by hand\n  created: '2026-03-20'\n", {"created": "2026-03-20"}),
    ('data_metadata:\n  reviewed_by: "a # b"\n', {"reviewed_by": "a # b"}),
    ("data_metadata:\n\n  # a comment\n  a: 1\n\n  b: 2\nc: 3\n", {"a": "1", "b": "2"}),
    ("data_metadata:\n  a:\n", {"a": ""}),
    ("data_metadata:\nb: 1\n", {}),
]


@pytest.mark.parametrize(("text", "values"), READ, ids=repr)
def test_read(text: str, values: dict[str, str]) -> None:
    found = metadata_of(text, (0, len(text)))
    assert found is not None
    assert found.values == values


@pytest.mark.parametrize("text", ["a: 1\n", "my_data_metadata:\n  a: 1\n", "data_metadata2: 1\n"])
def test_there_is_none(text: str) -> None:
    assert metadata_of(text, (0, len(text))) is None


UNREADABLE = [
    ("data_metadata: {created: 2026-03-20}\n", "line 1: data_metadata: allowed: one key"),
    ("a: 1\ndata_metadata:\n  - created\n", "line 3"),
    ("data_metadata:\n  a: 1\n    b: 2\n", "line 3"),
    ("data_metadata:\n  a: 1\n  a: 2\n", "line 3"),
    (BLOCK + BLOCK, "line 7: data_metadata stands there twice"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE, ids=repr)
def test_unreadable(text: str, said: str) -> None:
    with pytest.raises(FileError, match=said):
        metadata_of(text, (0, len(text)))


PROBLEMS: list[tuple[dict[str, str], str]] = [
    *(({**GOOD, key: ""}, f"{key} is missing") for key in GOOD),
    ({**GOOD, "created": "March"}, "created: value 'March': allowed: a date"),
    ({**GOOD, "validated": "2026-02-30"}, "validated: value '2026-02-30'"),
    ({**GOOD, "created": "2026-03-21"}, "created <= validated <= next_review"),
    ({**GOOD, "next_review": "2026-03-19"}, "created <= validated <= next_review"),
    ({**GOOD, "validated": "2026-04-02"}, "lies in the future"),
    ({**GOOD, "confidence": "0.9"}, "confidence: value '0.9': allowed: 1.0"),
    ({**GOOD, "reviewed_by": "a bot"}, "reviewed_by: value 'a bot': allowed: human_agent"),
]


@pytest.mark.parametrize(("values", "said"), PROBLEMS, ids=lambda value: str(value)[:30])
def test_problems(values: dict[str, str], said: str) -> None:
    [problem] = metadata_problems(values, TODAY)
    assert said in problem


def test_all_problems_at_once() -> None:
    assert len(metadata_problems({}, TODAY)) == 5


WRITTEN = [
    ("no front matter", "text\n", f"---\n{BLOCK}---\ntext\n", False),
    ("front matter", "---\na: 1\n---\nt\n", f"---\na: 1\n{BLOCK}---\nt\n", False),
    ("front matter alone", "---\na: 1\n---", f"---\na: 1\n{BLOCK}---", False),
    ("YAML", "# about\na: 1\n", f"# about\n{BLOCK}a: 1\n", True),
    ("YAML with an edge", "%YAML 1.2\n---\na: 1\n", f"%YAML 1.2\n---\n{BLOCK}a: 1\n", True),
    ("there already", f"---\n{BLOCK}---\n", f"---\n{BLOCK}---\n", False),
]


@pytest.mark.parametrize(
    ("before", "after", "whole"), [r[1:] for r in WRITTEN], ids=[r[0] for r in WRITTEN]
)
def test_written(before: str, after: str, whole: bool) -> None:
    for end in ("\n", "\r\n"):
        text = before.replace("\n", end)
        written = with_metadata(text, GOOD, end, whole=whole)
        assert written == after.replace("\n", end)
        assert with_metadata(written, GOOD, end, whole=whole) == written


def test_keys_comments_and_order_stay() -> None:
    text = (
        "---\ndata_metadata:\n    reviewed_by: human_agent  # by phone\n    source: deed\n"
        "    validated: 2025-01-01  # old\n    # end\nb: 2\n---\n"
    )
    assert with_metadata(text, GOOD, "\n", whole=False) == (
        "---\ndata_metadata:\n    reviewed_by: human_agent  # by phone\n    source: deed\n"
        "    validated: 2026-03-20\n"
        "    created: 2026-03-20\n    next_review: 2026-09-20\n    confidence: 1.0\n"
        "    # end\nb: 2\n---\n"
    )


MAPPINGS = [
    ("a: 1\n", True),
    ("# c\n---\na:\n  - 1\n", True),
    ('"a b": 1\n', True),
    ("a b: 1\n", True),
    ("- a\n", False),
    ("[1, 2]\n", False),
    ("{a: 1}\n", False),
    ("plain\n", False),
    ("a:b\n", False),
    ("", False),
    ("# only a comment\n", False),
]


@pytest.mark.parametrize(("text", "mapping"), MAPPINGS, ids=repr)
def test_mapping(text: str, mapping: bool) -> None:
    assert is_mapping(text) == mapping


lines = st.lists(
    st.sampled_from(["---", "...", "a: 1", "data_metadata:", "  created: x", "", "# c", "- x"]),
    max_size=8,
).map(lambda parts: "".join(part + "\n" for part in parts))


@given(lines, st.booleans())
def test_writing_again_changes_nothing(text: str, whole: bool) -> None:
    if whole and not is_mapping(text):
        return  # such a file gets a sidecar
    try:
        once = with_metadata(text, GOOD, "\n", whole=whole)
    except FileError:
        return
    assert with_metadata(once, GOOD, "\n", whole=whole) == once
    left = [line for line in text.splitlines() if "created" not in line]
    kept = iter(once.splitlines())
    assert all(line in kept for line in left)  # in their order
