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


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('hits = ["Done: 3"]', "hits = []", "own: row 1: hits"),
        ('hits = ["Done: 3"]', "", "own: row 1: hits"),
        ('means = "passed"', 'means = "fine"', "own: row 1: means"),
        ('means = "passed"', "", "needs counts"),
        ('means = "passed"', 'counts = "N words"', "own: row 1: counts"),
        ('means = "passed"', 'counts = "N word"\n  names = { done = "well" }', "count 'well'"),
        ('means = "passed"', 'means = "passed"\n  shape = "round"', "shape 'round'; allowed: "),
        ("Done: <n>", "Done 7: <n>", "has a digit beside <n>"),
        ('all = ["^Done: <n>"]', 'all = ["^"]', "allowed: some characters"),
        ('kinds = ["test"]', 'kinds = ["tests"]', "own: kinds.0"),
        ('kinds = ["test"]', 'kinds = ["test"]\nalso = ["other"]', "'other' is no tool"),
        ('kinds = ["test"]', 'kinds = ["test"]\nspecial = "other"', "special 'other'; allowed: "),
        ('kinds = ["test"]', 'kinds = ["test"]\ncolour = "red"', "own: colour"),
        ('names = ["own"]', 'names = ["own", "own"]', "own: already defined in "),
        ("schema = 1", "schema = 2", "schema"),
        ("schema = 1", "schema = ", "Invalid value"),
    ],
)
def test_what_the_loader_refuses(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in TOOL
    with pytest.raises(LexiconError) as error:
        load(tmp_path, TOOL.replace(old, new))
    assert str(tmp_path / "own.toml") in str(error.value)
    assert told in str(error.value)
