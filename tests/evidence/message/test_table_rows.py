"""Claims in table rows that name open work themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import QUALIFIED, UNSUPPORTED
from tests.evidence.turns import Act, matches, write
from tests.support.growth import exponent, function_calls
from tests.support.transcripts import Session

HEAD = "| Done | {} |\n|---|---|\n"


def open_item(session: Session) -> None:
    """A to-do list with one item open, which no message here names in its own words."""
    todos = [
        {"content": "Write the exporter", "status": "completed", "activeForm": "Writing"},
        {"content": "Ask for a review", "status": "pending", "activeForm": "Asking"},
    ]
    session.call("TodoWrite", {"todos": todos}, "Todos have been modified successfully.")


ACTS: list[Act] = [write("src/export.rs", "fn export() {}"), open_item]
ROWS = [
    ("pending beside it", HEAD.format("Pending") + "| Core feature complete | two screens |", True),
    ("still to do", HEAD.format("To-do") + "| Core feature complete | the docs |", True),
    (
        "in the second row",
        HEAD.format("Remaining work") + "| a | b |\n| Feature complete | c |",
        True,
    ),
    ("in bold", HEAD.format("**Open**") + "| **Core feature complete** | **the docs** |", True),
    (
        "next steps in a third column",
        "| Area | State | Next |\n|-|-|-|\n| cli | Feature complete | docs |",
        True,
    ),
    ("nothing is pending", HEAD.format("Pending") + "| Core feature complete | - |", False),
    ("none", HEAD.format("Pending") + "| Core feature complete | None |", False),
    ("an empty cell", HEAD.format("Pending") + "| Core feature complete | |", False),
    (
        "pending in another row",
        HEAD.format("Pending") + "| | docs |\n| Feature complete | |",
        False,
    ),
    ("another column", HEAD.format("Owner") + "| Core feature complete | Ada |", False),
    ("no table", "Core feature complete.\n\nPending | docs", False),
    (
        "a head of its own",
        "| The core feature is complete | Pending |\n|---|---|\n| a | b |",
        False,
    ),
]


@pytest.mark.parametrize(
    ("message", "is_open"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS]
)
def test_open_work_in_the_same_row(tmp_path: Path, message: str, is_open: bool) -> None:
    found = matches(tmp_path, message, ACTS)
    [claim] = [one for one in found if one.marker.claim == "implemented"]
    assert claim.verdict
    assert "1 item of the to-do list is open" in claim.verdict.why
    assert claim.verdict.status == (QUALIFIED if is_open else UNSUPPORTED)


def test_a_long_table_costs_no_more_than_its_length(tmp_path: Path) -> None:
    def work(rows: int) -> int:
        message = HEAD.format("Pending") + "| Core feature complete | docs |\n" * rows
        return function_calls(lambda: matches(tmp_path, message, ACTS))

    assert exponent(work(400), work(1_600), 4) <= 1.1
