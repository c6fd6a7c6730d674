"""Every entry of the pattern files is a test: its hits are found, its misses are not."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

import pytest

from groundwire.lexicon.check import check_entry
from groundwire.lexicon.load import Loaded, load_lexicon, shipped_folder
from groundwire.model import BLOCKER, CUE, KINDS
from groundwire.rules import marker_of, rows_of, shipped_rules
from groundwire.scan import predicates
from groundwire.scan.automaton import Scanner
from groundwire.scan.filters import FILTERS
from groundwire.service import examine

LEXICON = load_lexicon()
SCANNER = Scanner(shipped_rules())
#: Requirement 000: its twelve uncertainty and eight certainty markers.
UNCERTAINTY = (
    "i think, maybe, possibly, perhaps, might, i'm not sure, uncertain, unclear, i don't know, "
    "unsure, probably, likely"
)
CERTAINTY = "definitely, certainly, absolutely, confirmed, verified, tested, proven, documented"


@pytest.mark.parametrize("item", LEXICON, ids=lambda item: item.entry.id)
def test_entry(item: Loaded) -> None:
    assert list(check_entry(item, SCANNER)) == []


def test_there_is_a_file_for_every_kind() -> None:
    files = {path.stem.partition(".")[0] for path in shipped_folder().glob("*.toml")}
    assert files == {*KINDS, "blockers", "cues", "milestones"}
    assert {item.kind for item in LEXICON} == {*KINDS, BLOCKER, CUE}


def test_at_least_300_ideas() -> None:
    assert sum(item.kind in KINDS for item in LEXICON) >= 300


@pytest.mark.parametrize("word", [*UNCERTAINTY.split(", "), *CERTAINTY.split(", ")])
def test_the_markers_of_requirement_000_are_in(word: str) -> None:
    lines = shipped_rules().rows()
    rows = rows_of(dict(shipped_rules().forms()).get(word, ""))
    kinds = {marker_of(lines[row]).kind for row in rows}
    assert kinds & {"speculation_language", "certainty_language"}


@pytest.mark.parametrize("module", [predicates, examine], ids=lambda module: module.__name__)
def test_every_cue_that_is_asked_for_exists(module: ModuleType) -> None:
    """A filter that asks for a cue nobody defines would never hold."""
    names = set(re.findall(r'"(cue\.[a-z-]+)"', inspect.getsource(module)))
    assert names
    assert names <= {item.entry.id for item in LEXICON}


def test_filter_names_are_unique() -> None:
    names = [one.name for one in FILTERS]
    assert len(set(names)) == len(names)
