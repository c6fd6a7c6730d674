"""What the loader refuses, and how it says so: file, id, what is wrong, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.errors import LexiconError
from groundwire.lexicon.compile import compile_rules
from groundwire.lexicon.load import load_lexicon
from groundwire.rules import marker_of, rows_of
from tests.support.tables import table

ENTRY = """
[[marker]]
id = "speculation.own"
forms = ["methinks it"]
strength = "weak"
claim = "guess"
note = "A guess."
source = "own"
hits = ["{methinks it} is late"]
misses = ["nothing"]
"""
HEAD = 'schema = 1\nkind = "speculation_language"\n'


def write(folder: Path, text: str) -> Path:
    (folder / "own.toml").write_text(text, encoding="utf-8")
    return folder


def test_an_own_folder_adds_to_the_shipped_rules(tmp_path: Path) -> None:
    rules = compile_rules([write(tmp_path, HEAD + ENTRY)])
    (row,) = rows_of(dict(rules.forms())["methinks it"])
    assert marker_of(rules.rows()[row]).id == "speculation.own"
    assert len(rules.rows()) == len(compile_rules().rows()) + 1


@table
def test_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(LexiconError) as caught:
        load_lexicon([write(tmp_path, text)])
    assert said in str(caught.value)
    assert str(tmp_path / "own.toml") in str(caught.value)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    broken = ENTRY.replace('"weak"', '"huge"').replace('["nothing"]', "[]")
    (tmp_path / "a.toml").write_text("x", encoding="utf-8")
    with pytest.raises(LexiconError) as caught:
        load_lexicon([write(tmp_path, HEAD + broken), tmp_path / "missing"])
    assert len(str(caught.value).splitlines()) == 4
