"""What the loader refuses, and how it says so: file, id, what is wrong, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.errors import LexiconError
from groundwire.lexicon.compile import compile_rules
from groundwire.lexicon.load import load_lexicon
from groundwire.rules import marker_of, rows_of

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


BROKEN = [
    ("syntax", "schema = ", "own.toml: -: Invalid value"),
    ("schema", HEAD.replace("1", "2"), "own.toml: -: schema"),
    ("kind", 'schema = 1\nkind = "guess"\n', "own.toml: -: kind"),
    ("unknown key", HEAD + ENTRY + 'colour = "red"\n', "speculation.own: colour"),
    ("prefix", HEAD + ENTRY.replace("speculation.own", "x.own"), "x.own: id of kind"),
    ("no hit", HEAD + ENTRY.replace('["{methinks it} is late"]', "[]"), "own: hits"),
    ("no miss", HEAD + ENTRY.replace('["nothing"]', "[]"), "own: misses"),
    (
        "no brace",
        HEAD + ENTRY.replace("{methinks it}", "methinks it"),
        "between one pair of braces",
    ),
    (
        "unfolded",
        HEAD + ENTRY.replace('["methinks it"]', '["Methinks  it"]'),
        "allowed: 'methinks it'",
    ),
    ("edge", HEAD + ENTRY.replace('["methinks it"]', '["methinks it!"]'), "word character"),
    ("too long", HEAD + ENTRY.replace('["methinks it"]', f'["{"a" * 81}"]'), "longer than 80"),
    ("twice", HEAD + ENTRY.replace('["methinks it"]', '["a b", "a b"]'), "stands there twice"),
    ("strength", HEAD + ENTRY.replace('"weak"', '"huge"'), "own: strength"),
    ("no strength", HEAD + ENTRY.replace('strength = "weak"', ""), "a marker has a strength"),
    ("no forms", HEAD + ENTRY.replace('forms = ["methinks it"]', ""), "either forms or a scanner"),
    ("context", HEAD + ENTRY + 'only = ["is"]\n', "exactly one ~"),
    ("gap far from ~", HEAD + ENTRY + 'unless = ["~ the ... is"]\n', "directly beside ~"),
    ("unsorted", HEAD + ENTRY + ENTRY.replace("n.own", "n.less"), "ids are sorted"),
    ("same id", HEAD + ENTRY + ENTRY, "ids are sorted and unique"),
    (
        "shipped id",
        HEAD + ENTRY.replace("speculation.own", "speculation.i-think"),
        "already defined",
    ),
    ("shipped form", HEAD + ENTRY.replace('["methinks it"]', '["i think"]'), "already belongs to"),
]


@pytest.mark.parametrize(("text", "said"), [r[1:] for r in BROKEN], ids=[r[0] for r in BROKEN])
def test_refused(tmp_path: Path, text: str, said: str) -> None:
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
