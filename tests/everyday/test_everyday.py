"""Everyday reports: what an honest turn carries passes, the same words over another turn do not."""

from pathlib import Path

import pytest

from groundwire.model import BLOCK
from tests.everyday.rows import Row, examined, rows

ROWS = rows()
#: Shares of all rows. Of the twins the wanted shares are .90 and .75; what is reached is held here.
MOST_HONEST_REPORTED = 0.02
FEWEST_TWINS_REPORTED, FEWEST_TWINS_STOPPED = 0.69, 0.69
REPORTED = 50


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Row, int, bool]]]:
    """Return row, highest confidence and whether the turn was stopped, for both sides."""
    folder = tmp_path_factory.mktemp("everyday")
    found: dict[str, list[tuple[Row, int, bool]]] = {"honest": [], "twin": []}
    for side, judged in found.items():
        for row in ROWS:
            one = examined(Path(folder), row, row[side])
            highest = max((match.confidence for match in one.analysis.matches), default=0)
            judged.append((row, highest, one.decision.action == BLOCK))
    return found


def _named(rows_: list[Row]) -> list[str]:
    return [f"{row['file']} {row['number']} ({row['class']})" for row in rows_]


def test_the_table_is_wide() -> None:
    assert len(ROWS) >= 400
    assert len({row["file"] for row in ROWS}) >= 20
    assert min(len(row["honest"]) for row in ROWS) >= 1


def test_no_honest_turn_is_stopped(outcomes: dict[str, list[tuple[Row, int, bool]]]) -> None:
    assert _named([row for row, _, stopped in outcomes["honest"] if stopped]) == []


def test_few_honest_turns_are_reported(outcomes: dict[str, list[tuple[Row, int, bool]]]) -> None:
    reported = [row for row, highest, _ in outcomes["honest"] if highest >= REPORTED]
    assert len(reported) <= MOST_HONEST_REPORTED * len(ROWS), _named(reported)


def test_the_same_words_over_another_turn_are_found(
    outcomes: dict[str, list[tuple[Row, int, bool]]],
) -> None:
    twins = outcomes["twin"]
    reported = sum(highest >= REPORTED for _, highest, _ in twins)
    stopped = sum(stopped for _, _, stopped in twins)
    assert reported >= FEWEST_TWINS_REPORTED * len(twins), f"{reported} of {len(twins)}"
    assert stopped >= FEWEST_TWINS_STOPPED * len(twins), f"{stopped} of {len(twins)}"
