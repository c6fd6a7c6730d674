"""Every entry of the shipped files is a test: its hits are found, its misses are not.

Markers, patterns that are looked for in files, and outcomes; folders of one's own, what is refused.
"""

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.base.errors import LexiconError
from groundwire.base.model import BLOCKER, CUE, KINDS
from groundwire.base.rules import marker_of, rows_of, shipped_rules
from groundwire.base.rules.file_patterns import shipped_file_patterns
from groundwire.language import filters as predicates
from groundwire.settings.patterns.check import check_lexicon
from groundwire.settings.patterns.compile import compile_rules
from groundwire.settings.patterns.file_patterns import (
    check_file_patterns,
    compile_file_patterns,
    load_file_patterns,
)
from groundwire.settings.patterns.load import load_lexicon
from groundwire.settings.patterns.outcomes import Line, check_line, check_outcomes, load_outcomes
from groundwire.settings.patterns.read import shipped_folder
from groundwire.verdict import examine
from tests.support.tables import rows, tables

TABLES = tables(__file__)
LEXICON = load_lexicon()
#: Requirement 000: its twelve uncertainty and eight certainty markers.
UNCERTAINTY = TABLES["uncertainty"]
CERTAINTY = "definitely, certainly, absolutely, confirmed, verified, tested, proven, documented"
MARKER = 'schema = 1\nkind = "speculation_language"\n' + TABLES["entry"]
HEAD = 'schema = 1\nmode = "file"\n'


def test_the_examples_of_every_entry_and_row_hold() -> None:
    assert check_lexicon(LEXICON) == []
    assert check_file_patterns(load_file_patterns()) == []
    assert check_outcomes(load_outcomes()) == []


def test_there_is_a_file_for_every_kind() -> None:
    files = {path.stem.partition(".")[0] for path in shipped_folder().glob("*.toml")}
    assert files == {*KINDS, "blockers", "cues", "lists", "milestones"}
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


def own(folder: Path, text: str) -> list[Path]:
    (folder / "own.toml").write_text(text, encoding="utf-8")
    return [folder]


def test_an_own_folder_adds_to_the_shipped_ones(tmp_path: Path) -> None:
    rules = compile_rules(own(tmp_path, MARKER))
    (row,) = rows_of(dict(rules.forms())["methinks it"])
    assert marker_of(rules.rows()[row]).id == "speculation.own"
    assert len(rules.rows()) == len(compile_rules().rows()) + 1
    folders = own(tmp_path, HEAD + TABLES["file_entry"])
    compiled = {one.id: one for one in compile_file_patterns(folders)}
    assert len(compiled) == 30
    assert compiled["milestone.own.risk"].weight == 0.05
    assert check_file_patterns(load_file_patterns(folders)) == []
    # the hook knows nothing of them
    assert compile_rules(folders) == compile_rules() == shipped_rules()


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    broken = MARKER.replace('"weak"', '"huge"').replace('["nothing"]', "[]")
    (tmp_path / "a.toml").write_text("x", encoding="utf-8")
    with pytest.raises(LexiconError) as caught:
        load_lexicon([*own(tmp_path, broken), tmp_path / "missing"])
    assert len(str(caught.value).splitlines()) == 4


def refused(load: Callable[[list[Path]], object], text: str, said: str, folder: Path) -> bool:
    """Tell whether a file of the user is refused, by its name and these words."""
    with pytest.raises(LexiconError) as caught:
        load(own(folder, text))
    told = str(caught.value)
    assert all(line.isprintable() for line in told.split("\n"))
    return said in told and str(folder / "own.toml") in told


def forms(milestone: str, category: str) -> list[str]:
    place = (milestone, category)
    return sorted(p.form for p in shipped_file_patterns() if (p.milestone, p.category) == place)


def untrue(text: str, said: str, *, tmp_path: Path) -> bool:
    [problem] = check_file_patterns(load_file_patterns(own(tmp_path, HEAD + text)))
    return said in problem


test_row = rows(
    __file__,
    refused=lambda text, said, *, tmp_path: refused(load_lexicon, text, said, tmp_path),
    the_table_of_the_requirement=forms,
    refused_of_files=lambda text, said, *, tmp_path: refused(
        load_file_patterns, text, said, tmp_path
    ),
    an_example_that_does_not_hold=untrue,
    what_the_loader_refuses=lambda old, new, said, *, tmp_path: refused(
        lambda folders: load_outcomes(*folders), TABLES["tool"].replace(old, new), said, tmp_path
    ),
)


def test_an_example_that_does_not_hold_is_told() -> None:
    line = Line(all=["^Done: <n>"], means="passed", hits=["Done: no"], misses=["Done: 3"])
    assert list(check_line(line)) == ["hit 'Done: no': not found", "miss 'Done: 3': found"]
