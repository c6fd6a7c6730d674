"""Patterns that are looked for in files: entries as tests, refused files, the module."""

from collections.abc import Callable
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
from tests.support.tables import rows, tables

TABLES = tables(__file__)
ENTRY = TABLES["entry"]
HEAD = 'schema = 1\nmode = "file"\n'


def test_the_examples_of_every_entry_and_row_hold() -> None:
    assert check_file_patterns(load_file_patterns()) == []
    assert check_outcomes(load_outcomes()) == []


def test_an_own_folder_adds_to_them(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(HEAD + ENTRY, encoding="utf-8")
    compiled = {one.id: one for one in compile_file_patterns([tmp_path])}
    assert len(compiled) == 30
    assert compiled["milestone.own.risk"].weight == 0.05
    assert check_file_patterns(load_file_patterns([tmp_path])) == []


def test_the_hook_knows_nothing_of_them(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(HEAD + ENTRY, encoding="utf-8")
    assert compile_rules([tmp_path]) == compile_rules() == shipped_rules()


TOOL = TABLES["tool"]


def refused(load: Callable[[list[Path]], object], text: str, said: str, folder: Path) -> bool:
    """Tell whether a file of the user is refused, by its name and these words."""
    (folder / "own.toml").write_text(text, encoding="utf-8")
    with pytest.raises(LexiconError) as caught:
        load([folder])
    return said in str(caught.value) and str(folder / "own.toml") in str(caught.value)


def forms(milestone: str, category: str) -> list[str]:
    place = (milestone, category)
    return sorted(p.form for p in shipped_file_patterns() if (p.milestone, p.category) == place)


def untrue(text: str, said: str, *, tmp_path: Path) -> bool:
    (tmp_path / "own.toml").write_text(HEAD + text, encoding="utf-8")
    [problem] = check_file_patterns(load_file_patterns([tmp_path]))
    return said in problem


test_row = rows(
    __file__,
    the_table_of_the_requirement=forms,
    refused=lambda text, said, *, tmp_path: refused(load_file_patterns, text, said, tmp_path),
    an_example_that_does_not_hold=untrue,
    what_the_loader_refuses=lambda old, new, said, *, tmp_path: refused(
        lambda folders: load_outcomes(*folders), TOOL.replace(old, new), said, tmp_path
    ),
)


def test_an_example_that_does_not_hold_is_told() -> None:
    line = Line(all=["^Done: <n>"], means="passed", hits=["Done: no"], misses=["Done: 3"])
    assert list(check_line(line)) == ["hit 'Done: no': not found", "miss 'Done: 3': found"]
