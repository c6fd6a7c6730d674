"""Other languages: recognised, checked by markers of their own, and not stopped when honest."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from groundwire.lexicon.check import check_lexicon
from groundwire.lexicon.load import load_lexicon
from groundwire.model import BLOCK, BLOCKER, CUE, PASS
from groundwire.scan import foreign
from groundwire.scan.find import find
from groundwire.text.language import LANGUAGES, NAMES
from tests.everyday.rows import SCANNER, examined

FOLDER = Path(__file__).parent
#: Share of the false reports that is stopped, and markers of each language.
FEWEST_STOPPED, FEWEST_MARKERS = 0.9, 60


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_markers_of_a_language(code: str) -> None:
    lexicon = load_lexicon((), code)
    assert check_lexicon(lexicon, code) == []
    markers = [item for item in lexicon if item.kind not in (BLOCKER, CUE)]
    assert len(markers) >= FEWEST_MARKERS
    assert {item.kind for item in markers} == set(read("recognised.toml")["kinds"])
    asked = set(re.findall(r'"(cue\.[a-z-]+)"', inspect.getsource(foreign)))
    assert len(asked) == 4
    assert asked - {"cue.tail"} <= {item.entry.id for item in lexicon}


@pytest.mark.parametrize(("code", "says"), read("recognised.toml")["rows"])
def test_a_language_is_recognised(code: str, says: str) -> None:
    assert find(says, SCANNER).language == code
    assert code in ("", *NAMES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_everyday_reports(code: str, tmp_path: Path) -> None:
    """No honest report is stopped, and nearly all of the same words are over turns that fail."""
    turns, table = read("turns.toml"), read(f"{code}.toml")
    assert len(table["rows"]) >= 25
    wrong: list[str] = []
    stopped = 0
    for number, (turn, says) in enumerate([*table["rows"], *table["told"]]):
        row = {"file": code, "number": number, "prompt": "go on", "says": says}
        sides = turns[turn]
        honest = examined(tmp_path, row, sides["honest"])
        assert honest.analysis.language == code, says
        if honest.decision.action != PASS:
            wrong.append(says)
        if number < len(table["rows"]):
            stopped += examined(tmp_path, row, sides["twin"]).decision.action == BLOCK
    print(f"{code}: {number + 1} honest turns, {len(wrong)} not passed; {stopped} false ones stopped")
    assert wrong == []
    assert stopped >= FEWEST_STOPPED * len(table["rows"]), stopped


def test_evidence_is_as_for_english(tmp_path: Path) -> None:
    """No honest statement is stopped, and of the false ones about as many as in English."""
    stopped = dict.fromkeys(("en", *LANGUAGES), 0)
    for table in read("situations.toml").values():
        for code in stopped:
            row = {"file": code, "number": 1, "prompt": "go on", "says": table[code]}
            assert examined(tmp_path, row, table["honest"]).decision.action != BLOCK, table[code]
            if "twin" in table:
                stopped[code] += examined(tmp_path, row, table["twin"]).decision.action == BLOCK
    print(f"of {len(table)} ...")
    assert (stopped["en"], min(stopped.values()) >= 23) == (26, True), stopped


@pytest.mark.parametrize("says", read("recognised.toml")["opposites"])
def test_statements_that_exclude_each_other(says: str) -> None:
    mark = "\u3002" if "\u3002" in says else ". "
    earlier, *_, later = says[:-1].split(mark)
    assert contradictions(says) == 1
    assert contradictions(f"{later}{mark}{earlier}{mark}") == 0  # a repair is none


def test_statements_that_go_together() -> None:
    assert [one for one in read("recognised.toml")["compatible"] if contradictions(one)] == []


def contradictions(says: str) -> int:
    kept = find(says, SCANNER).kept
    return sum(one.candidate.marker.kind == "internal_contradiction" for one in kept)
