"""Everyday reports: what an honest turn carries passes, the same words over another turn do not."""

from pathlib import Path

import pytest

from groundwire.base.model import BLOCK
from tests.everyday.rows import FOLDER, REPORTS, Row, examined, rows

#: Shares of all rows; of the twins those reported, and those stopped by a fact.
MOST_HONEST_REPORTED = {FOLDER: 0.02, REPORTS: 0.07}
FEWEST_TWINS = {FOLDER: (0.64, 0.15), REPORTS: (0.44, 0.05)}
REPORTED = 50
Outcomes = dict[str, list[tuple[Row, int, bool]]]


@pytest.fixture(scope="module", params=(FOLDER, REPORTS), ids=("everyday", "reports"))
def table(request: pytest.FixtureRequest) -> Path:
    """Return the folder of a table."""
    folder: Path = request.param
    return folder


@pytest.fixture(scope="module")
def outcomes(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Return row, highest confidence and whether the turn was stopped, for both sides."""
    folder = tmp_path_factory.mktemp("everyday")
    found: Outcomes = {"honest": [], "twin": []}
    for side, judged in found.items():
        for row in rows(table):
            one = examined(folder, row, row[side])
            highest = max((match.confidence for match in one.analysis.matches), default=0)
            judged.append((row, highest, one.decision.action == BLOCK))
    return found


def _named(rows_: list[Row]) -> list[str]:
    return [f"{row['file']} {row['number']} ({row['class']})" for row in rows_]


def test_the_table_is_wide() -> None:
    all_rows = rows()
    assert len(all_rows) >= 400
    assert len({row["file"] for row in all_rows}) >= 20
    assert len(rows(REPORTS)) >= 119


def test_no_honest_turn_is_stopped(outcomes: Outcomes) -> None:
    named = _named([row for row, _, stopped in outcomes["honest"] if stopped])
    assert named == []


def test_few_honest_turns_are_reported(table: Path, outcomes: Outcomes) -> None:
    reported = [row for row, highest, _ in outcomes["honest"] if highest >= REPORTED]
    assert len(reported) <= MOST_HONEST_REPORTED[table] * len(outcomes["honest"]), _named(reported)


def test_the_same_words_over_another_turn_are_found(table: Path, outcomes: Outcomes) -> None:
    twins = outcomes["twin"]
    reported = sum(highest >= REPORTED for _, highest, _ in twins)
    stopped = sum(stopped for _, _, stopped in twins)
    told = f"{reported} reported, {stopped} stopped of {len(twins)}"
    least = [share * len(twins) for share in FEWEST_TWINS[table]]
    assert (reported >= least[0], stopped >= least[1]) == (True, True), told
