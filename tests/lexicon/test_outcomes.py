"""Every row of the outcome files is a test, and what the loader refuses it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.errors import LexiconError
from groundwire.lexicon.outcomes import (
    Line,
    check_line,
    check_outcomes,
    load_outcomes,
)
from tests.support.tables import table

LOADED = load_outcomes()
TOOL = """schema = 1
[[tool]]
names = ["own"]
kinds = ["test"]

  [[tool.line]]
  all = ["^Done: <n>"]
  means = "passed"
  hits = ["Done: 3"]
"""


def load(folder: Path, text: str) -> None:
    (folder / "own.toml").write_text(text, encoding="utf-8")
    load_outcomes(folder)


@pytest.mark.parametrize("item", LOADED, ids=lambda item: item.table.names[0])
def test_examples(item: object) -> None:
    assert check_outcomes([item]) == []  # type: ignore[list-item]


def test_an_example_that_does_not_hold_is_told() -> None:
    line = Line(all=["^Done: <n>"], means="passed", hits=["Done: no"], misses=["Done: 3"])
    assert list(check_line(line)) == ["hit 'Done: no': not found", "miss 'Done: 3': found"]


def test_a_valid_file(tmp_path: Path) -> None:
    load(tmp_path, TOOL)


@table
def test_what_the_loader_refuses(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in TOOL
    with pytest.raises(LexiconError) as error:
        load(tmp_path, TOOL.replace(old, new))
    assert str(tmp_path / "own.toml") in str(error.value)
    assert told in str(error.value)
