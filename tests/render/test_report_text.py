"""``--format text`` and the places that all reports share."""

from __future__ import annotations

import pytest

from groundwire.render.place import Places
from groundwire.render.report_text import match_lines, report_text, summary
from tests.support.tables import tables

TABLES = tables(__file__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    TABLES["line_and_column"],
)
def test_line_and_column(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Places(text).line_column(offset) == tuple(place)


def test_one_line_per_match_and_a_summary(a_match: Matches) -> None:
    text = "Done.\nI think it is all fixed."
    guess = a_match(text, "I think", 75, note="A guess as the answer.")
    fixed = a_match(text, "fixed", 92, kind="completeness_claim", marker="completeness.fixed")
    assert report_text("notes.md", text, [guess, fixed], 3) == (
        'notes.md:2:1: speculation_language 75 "I think" [speculation.i_think]'
        " A guess as the answer.\n"
        'notes.md:2:19: completeness_claim 92 "fixed" [completeness.fixed]\n'
        "2 matches: 1 VERY_HIGH, 1 HIGH; 3 below the report threshold"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    TABLES["file_name"],
)
def test_file_name(a_match: Matches, name: str, shown: str) -> None:
    (line,) = match_lines(name, "I think so.", [a_match("I think so.", "I think")])
    assert line.startswith(f"{shown}:1:1: ")


def test_evidence_over_two_lines_stays_on_one(a_match: Matches) -> None:
    (line,) = match_lines("-", "I\nthink so.", [a_match("I\nthink so.", "I\nthink")])
    assert '"I think"' in line


@pytest.mark.parametrize(
    ("confidences", "hidden", "line"),
    TABLES["summary"],
)
def test_summary(a_match: Matches, confidences: list[int], hidden: int, line: str) -> None:
    matches = [a_match("I think", "I think", confidence) for confidence in confidences]
    assert summary(matches, hidden) == line
