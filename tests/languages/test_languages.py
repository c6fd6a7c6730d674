"""Other languages: recognised, checked by markers of their own, and not stopped when honest."""

from __future__ import annotations

import inspect
import json
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
from tests.cli.command import Command
from tests.config.place import PACK
from tests.everyday.rows import SCANNER, examined
from tests.support.transcripts import Session

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


def test_what_has_no_markers_is_told(tmp_path: Path) -> None:
    cli, session = Command(tmp_path), Session()
    says = "Tutti i test passano e il problema è risolto."
    process = cli("scan", stdin=says)
    said = "not checked: the message is in Italian, which has no markers"
    assert process.stderr.decode() == f"groundwire: {said}\n"
    session.prompt("go on")
    session.say(says)
    path = session.write(cli.folder / "s.jsonl")
    assert cli.out("replay", path).endswith("0 clean, 1 not checked (1 Italian)\n")
    line = cli.out("replay", path, "--format", "jsonl")
    assert json.loads(line)["not_checked"] == "Italian"
    row = {"file": "it", "number": 1, "prompt": "go on", "says": says}
    assert examined(tmp_path, row, []).notes == (said,)


def test_the_settings_know_the_markers(tmp_path: Path) -> None:
    cli = Command(tmp_path)
    says = "Das liegt vermutlich am Cache."
    assert [one["evidence"] for one in cli.scan(says)] == ["vermutlich"]
    cli.settings('[markers]\n"speculation.de-vermutlich" = false\n')
    assert cli.scan(says) == []
    assert "certainty.ja-kanarazu" in cli.out("patterns", "list", "--language", "ja")
    assert "allowed: de, es," in cli.refused("patterns", "list", "--language", "it")
    assert "forms: vermutlich" in cli.out("patterns", "show", "speculation.de-vermutlich")


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
    assert wrong == []
    assert stopped >= FEWEST_STOPPED * len(table["rows"]), stopped


@pytest.mark.parametrize("name", read("evidence.toml"))
def test_numbers_and_references_are_held_against_the_turn(name: str, tmp_path: Path) -> None:
    table = read("evidence.toml")[name]
    for code in ("en", *LANGUAGES):
        row = {"file": code, "number": 1, "prompt": "go on", "says": table[code]}
        sides = [
            examined(tmp_path, row, table[side]).decision.action for side in ("honest", "twin")
        ]
        assert sides == [PASS, BLOCK], code


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


def test_markers_of_the_user_are_found_in_every_language(tmp_path: Path) -> None:
    cli = Command(tmp_path)
    pack = PACK.replace("zorble likely", "zorbelig")
    cli.write("packs/speculation.toml", pack)
    found = cli.scan("Das ist zorbelig der Cache.", "--patterns", "packs")
    assert [one["evidence"] for one in found] == ["zorbelig"]
