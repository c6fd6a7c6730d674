"""Patterns that are looked for in files: entries as tests, refused files, the module."""

from pathlib import Path

import pytest

from groundwire.errors import LexiconError
from groundwire.lexicon.compile import compile_rules
from groundwire.lexicon.file_patterns import (
    check_file_patterns,
    compile_file_patterns,
    load_file_patterns,
)
from groundwire.lexicon.outcomes import Line, check_line, check_outcomes, load_outcomes
from groundwire.rules import shipped_rules
from groundwire.rules.file_patterns import shipped_file_patterns
from tests.support.tables import table, tables

TABLES = tables(__file__)
ENTRY = TABLES["entry"]
HEAD = 'schema = 1\nmode = "file"\n'


def test_the_examples_of_every_entry_and_row_hold() -> None:
    assert check_file_patterns(load_file_patterns()) == []
    assert check_outcomes(load_outcomes()) == []


@table
def test_the_table_of_the_requirement(milestone: str, category: str, forms: list[str]) -> None:
    place = (milestone, category)
    found = [p.form for p in shipped_file_patterns() if (p.milestone, p.category) == place]
    assert sorted(found) == forms


def test_an_own_folder_adds_to_them(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(HEAD + ENTRY, encoding="utf-8")
    compiled = {one.id: one for one in compile_file_patterns([tmp_path])}
    assert len(compiled) == 30
    assert compiled["milestone.own.risk"].weight == 0.05
    assert check_file_patterns(load_file_patterns([tmp_path])) == []


def test_the_hook_knows_nothing_of_them(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(HEAD + ENTRY, encoding="utf-8")
    assert compile_rules([tmp_path]) == compile_rules() == shipped_rules()


@table
def test_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    with pytest.raises(LexiconError) as caught:
        load_file_patterns([tmp_path])
    assert said in str(caught.value)
    assert str(tmp_path / "own.toml") in str(caught.value)


@table
def test_an_example_that_does_not_hold(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(HEAD + text, encoding="utf-8")
    [problem] = check_file_patterns(load_file_patterns([tmp_path]))
    assert said in problem


TOOL = TABLES["tool"]


def test_an_example_that_does_not_hold_is_told() -> None:
    line = Line(all=["^Done: <n>"], means="passed", hits=["Done: no"], misses=["Done: 3"])
    assert list(check_line(line)) == ["hit 'Done: no': not found", "miss 'Done: 3': found"]


@table
def test_what_the_loader_refuses(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in TOOL
    (tmp_path / "own.toml").write_text(TOOL.replace(old, new), encoding="utf-8")
    with pytest.raises(LexiconError) as error:
        load_outcomes(tmp_path)
    assert str(tmp_path / "own.toml") in str(error.value)
    assert told in str(error.value)
