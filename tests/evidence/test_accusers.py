"""What each accuser says of a sentence over a session, and what it leaves alone."""

from pathlib import Path

import pytest

from groundwire.base.errors import LexiconError
from groundwire.base.model import BLOCK, CONTRADICTED
from groundwire.base.rules.weights import ACCUSERS
from groundwire.settings.patterns.read import shipped_folder
from groundwire.settings.patterns.weights import load_accusers
from groundwire.verdict import accusers
from groundwire.verdict.decision import MAY_STOP
from groundwire.verdict.examine import Examined
from tests.everyday.rows import examined
from tests.support.tables import tables

TABLE = tables(__file__)
CASES = [(name, *row) for name, rows in TABLE["case"].items() for row in rows]


def look(folder: Path, acts: str, says: str) -> Examined:
    row = {"file": "accusers", "number": 1, "prompt": "go on", "says": says}
    return examined(folder, row, TABLE["acts"][acts])


@pytest.mark.parametrize(("table", "acts", "says", "accuser"), CASES)
def test_case(tmp_path: Path, table: str, acts: str, says: str, accuser: str) -> None:
    found = look(tmp_path, acts, says)
    assert {one.accuser for one in found.analysis.matches} - {""} == ({accuser} - {""})
    assert (found.decision.action == BLOCK) is (accuser in MAY_STOP)
    for match in found.decision.blocking:
        assert match.verdict
        assert len(match.verdict.line) <= 120
        assert match.confidence >= 95 or match.verdict.status != CONTRADICTED


@pytest.mark.parametrize("acts", ["failed", "hidden", "edited"])
@pytest.mark.parametrize("says", TABLE["disclosed"]["says"])
def test_a_disclosure_is_never_stopped(tmp_path: Path, says: str, acts: str) -> None:
    assert look(tmp_path, acts, says).decision.action != BLOCK


def test_one_that_fails_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(asked: object) -> None:
        raise ValueError("odd")

    monkeypatch.setitem(accusers.ACCUSERS, "run_failed", broken)
    found = look(tmp_path, "failed", "All tests pass.")
    assert "accuser run_failed failed: ValueError: odd" in found.notes
    assert found.decision.action != BLOCK
    assert look(tmp_path, "push_failed", "Pushed.").decision.action == BLOCK
    monkeypatch.setattr("groundwire.verdict.decision.MAY_STOP", MAY_STOP - {"deed_failed"})
    assert look(tmp_path, "push_failed", "Pushed.").decision.action == "report"


def test_the_file_names_all_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    shipped = load_accusers()
    assert set(shipped) == set(accusers.ACCUSERS) == set(ACCUSERS)
    text = (shipped_folder("model", "weights") / "accusers.toml").read_text(encoding="utf-8")
    for old, new, told in (
        ("turns = 1551", "turns = 999", "it takes 1000 turns, and turns is 999"),
        ("wrong = 0", "wrong = 3", "allowed: one in twenty"),
        ("accused = 0", "accused = 1", "accused 1 of 605 honest turns"),
        ("stops = true", "stop = true", "accuser.run_failed.stops: Field required"),
    ):
        (tmp_path / "accusers.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(LexiconError, match=r"accusers\.toml: -: accuser\.run_failed") as error:
            load_accusers(tmp_path)
        assert told in str(error.value)
