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
from tests.support.tables import table

TODAY = (2026, 4, 1)
GOOD = {
    "created": "2026-03-20",
    "validated": "2026-03-20",
    "next_review": "2026-09-20",
    "confidence": "1.0",
    "reviewed_by": "human_agent",
}
BLOCK = "data_metadata:\n" + "".join(f"  {key}: {value}\n" for key, value in GOOD.items())


@table
def test_span(text: str, end: int | None) -> None:
    assert front_matter_span(text) == (None if end is None else (0, end))


def test_the_record_of_the_requirement() -> None:
    assert validated_values("", (2026, 3, 20)) == GOOD
    assert metadata_problems(GOOD, TODAY) == []
    text = f"---\ntitle: x\n{BLOCK}---\n"
    found = metadata_of(text, (0, len(text)))
    assert found is not None
    assert found.values == GOOD


@table
def test_read(text: str, values: dict[str, str]) -> None:
    found = metadata_of(text, (0, len(text)))
    assert found is not None
    assert found.values == values


@pytest.mark.parametrize("text", ["a: 1\n", "my_data_metadata:\n  a: 1\n", "data_metadata2: 1\n"])
def test_there_is_none(text: str) -> None:
    assert metadata_of(text, (0, len(text))) is None


@table
def test_unreadable(text: str, said: str) -> None:
    with pytest.raises(FileError, match=said):
        metadata_of(text, (0, len(text)))


@table
def test_problems(values: dict[str, str], said: str) -> None:
    [problem] = metadata_problems(values, TODAY)
    assert said in problem


def test_all_problems_at_once() -> None:
    assert len(metadata_problems({}, TODAY)) == 5


@table
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


@table
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
