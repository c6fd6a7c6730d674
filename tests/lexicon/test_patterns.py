"""Every entry of the pattern files is a test: its hits are found, its misses are not."""

import inspect
import re
from pathlib import Path

import pytest

from groundwire.errors import LexiconError
from groundwire.lexicon.check import check_lexicon
from groundwire.lexicon.compile import compile_rules
from groundwire.lexicon.load import load_lexicon, shipped_folder
from groundwire.model import BLOCKER, CUE, KINDS
from groundwire.rules import marker_of, rows_of, shipped_rules
from groundwire.scan import predicates
from groundwire.service import examine
from tests.support.tables import table, tables

TABLES = tables(__file__)
LEXICON = load_lexicon()
#: Requirement 000: its twelve uncertainty and eight certainty markers.
UNCERTAINTY = TABLES["uncertainty"]
CERTAINTY = "definitely, certainly, absolutely, confirmed, verified, tested, proven, documented"


def test_the_examples_of_every_entry_hold() -> None:
    assert check_lexicon(LEXICON) == []


def test_there_is_a_file_for_every_kind() -> None:
    files = {path.stem.partition(".")[0] for path in shipped_folder().glob("*.toml")}
    assert files == {*KINDS, "blockers", "cues", "milestones"}
    assert {item.kind for item in LEXICON} == {*KINDS, BLOCKER, CUE}


def test_the_markers_of_requirement_000_are_in() -> None:
    lines, forms = shipped_rules().rows(), dict(shipped_rules().forms())
    for word in [*UNCERTAINTY.split(", "), *CERTAINTY.split(", ")]:
        kinds = {marker_of(lines[row]).kind for row in rows_of(forms.get(word, ""))}
        assert kinds & {"speculation_language", "certainty_language"}, word


def test_every_cue_that_is_asked_for_exists() -> None:
    """A filter that asks for a cue nobody defines would never hold."""
    for module in (predicates, examine):
        names = set(re.findall(r'"(cue\.[a-z-]+)"', inspect.getsource(module)))
        assert names
        assert names <= {item.entry.id for item in LEXICON}


ENTRY = TABLES["entry"]
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
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    broken = ENTRY.replace('"weak"', '"huge"').replace('["nothing"]', "[]")
    (tmp_path / "a.toml").write_text("x", encoding="utf-8")
    with pytest.raises(LexiconError) as caught:
        load_lexicon([write(tmp_path, HEAD + broken), tmp_path / "missing"])
    assert len(str(caught.value).splitlines()) == 4
