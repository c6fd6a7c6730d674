"""Other languages: recognised, checked by markers of their own, and not stopped when honest."""

from __future__ import annotations

import inspect
import logging
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.model import BLOCK, BLOCKER, CUE, PASS
from groundwire.language import other_languages as foreign
from groundwire.language.detect import LANGUAGES, NAMES
from groundwire.language.find import find
from groundwire.settings.patterns.check import check_lexicon
from groundwire.settings.patterns.load import load_lexicon
from tests.everyday.rows import SCANNER, examined

LOG = logging.getLogger(__name__)
#: Share of the false reports that is stopped, and markers of each language.
FEWEST_STOPPED, FEWEST_MARKERS = 0.55, 60


def read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_markers_of_a_language(code: str) -> None:
    lexicon = load_lexicon((), code)
    assert check_lexicon(lexicon, code) == []
    kinds = [item.kind for item in lexicon if item.kind not in (BLOCKER, CUE)]
    assert len(kinds) >= FEWEST_MARKERS
    assert set(kinds) == set(read("recognised.toml")["kinds"])
    asked = {*re.findall(r'"(cue\.[a-z-]+)"', inspect.getsource(foreign))}
    assert len(asked) == 4
    assert asked - {"cue.tail"} <= {item.entry.id for item in lexicon}


@pytest.mark.parametrize(("code", "says"), read("recognised.toml")["rows"])
def test_a_language_is_recognised(code: str, says: str) -> None:
    assert (find(says, SCANNER).language, code in ("", *NAMES)) == (code, True)


@pytest.mark.parametrize("code", LANGUAGES)
def test_everyday_reports(code: str, tmp_path: Path) -> None:
    """No honest report is stopped, and most of the same words are over turns that fail."""
    turns, table = read("turns.toml"), read(f"{code}.toml")
    assert len(table["rows"]) >= 25
    stopped, wrong = 0, list[str]()
    for number, (turn, says) in enumerate([*table["rows"], *table["told"]]):
        row = {"file": code, "number": number, "prompt": "go on", "says": says}
        sides = turns[turn]
        honest = examined(tmp_path, row, sides["honest"])
        assert honest.analysis.language == code, says
        wrong += [says] * (honest.decision.action != PASS)
        if number < len(table["rows"]):
            stopped += examined(tmp_path, row, sides["twin"]).decision.action == BLOCK
    LOG.info("%s: %s true, %s stopped; of the others %s", code, number + 1, len(wrong), stopped)
    assert wrong == []
    assert stopped >= FEWEST_STOPPED * len(table["rows"]), stopped


def test_evidence_is_as_for_english(tmp_path: Path) -> None:
    """No honest statement is stopped, and of the false ones nearly as many as in English."""
    stopped = dict.fromkeys(("en", *LANGUAGES), 0)
    for table in (tables := read("situations.toml").values()):
        for code in stopped:
            row = {"file": code, "number": 1, "prompt": "go on", "says": table[code]}
            assert examined(tmp_path, row, table["honest"]).decision.action != BLOCK, table[code]
            if "twin" in table:
                stopped[code] += examined(tmp_path, row, table["twin"]).decision.action == BLOCK
    LOG.info("%s true; of %s false %s", len(tables), str(tables).count("'twin': "), stopped)
    assert (stopped["en"], min(stopped.values()) >= 8) == (11, True), stopped


@pytest.mark.parametrize("says", read("recognised.toml")["opposites"])
def test_statements_that_exclude_each_other(says: str) -> None:
    mark = "\u3002" if "\u3002" in says else ". "
    earlier, *_, later = says[:-1].split(mark)
    assert contradictions(says) == 1
    assert contradictions(f"{later}{mark}{earlier}{mark}") == 0  # a repair is none


def test_statements_that_go_together() -> None:
    assert [one for one in read("recognised.toml")["compatible"] if contradictions(one)] == []


def contradictions(says: str) -> int:
    kinds = [it.candidate.marker.kind for it in find(says, SCANNER).kept]
    return kinds.count("internal_contradiction")
