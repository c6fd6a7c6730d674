"""``--format text`` and the places that all reports share."""

from __future__ import annotations

import pytest

from groundwire.render.place import Places
from groundwire.render.report_text import match_lines, report_text, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.render.conftest import Matches


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("abc", 2, (1, 3)),
        ("a\nb", 1, (1, 2)),  # the line feed belongs to its line
        ("a\nb", 2, (2, 1)),
        ("a\n\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),  # the carriage return is one more column of line 1
        ("a\rb\u2028c\x0bd\x85e", 8, (1, 9)),  # none of these ends a line
        ("\U0001f600b", 1, (1, 2)),  # code points
    ],
)
def test_line_and_column(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Places(text).line_column(offset) == place


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
    [
        ("-", "<stdin>"),
        ("a b.md", "a b.md"),
        ("a\nb.md", "a b.md"),  # one match stays one line
        ("a\x1b]0;x\x07.md", "a\\x1b]0;x\\x07.md"),
    ],
)
def test_file_name(a_match: Matches, name: str, shown: str) -> None:
    (line,) = match_lines(name, "I think so.", [a_match("I think so.", "I think")])
    assert line.startswith(f"{shown}:1:1: ")


def test_evidence_over_two_lines_stays_on_one(a_match: Matches) -> None:
    (line,) = match_lines("-", "I\nthink so.", [a_match("I\nthink so.", "I\nthink")])
    assert '"I think"' in line


@pytest.mark.parametrize(
    ("confidences", "hidden", "line"),
    [
        ([], 0, "no matches"),
        ([], 2, "no matches; 2 below the report threshold"),
        ([75], 0, "1 match: 1 HIGH"),
        ([49, 50, 69, 90], 0, "4 matches: 1 VERY_HIGH, 2 MODERATE, 1 SUPPRESSED"),
    ],
)
def test_summary(a_match: Matches, confidences: list[int], hidden: int, line: str) -> None:
    matches = [a_match("I think", "I think", confidence) for confidence in confidences]
    assert summary(matches, hidden) == line
