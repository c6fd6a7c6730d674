"""What a parser reads agrees with the exit status that was recorded with the output."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import FAILED, PASSED
from groundwire.evidence.runs.outputs import parse_output, recognise
from tests.evidence.runs.outputs import (
    test_c,
    test_exit_marks,
    test_git,
    test_go,
    test_infrastructure,
    test_jvm,
    test_php_ruby,
    test_rust,
    test_shell,
)
from tests.evidence.runs.outputs.fixture import FOLDER, read

ROWS = [
    *test_c.ROWS,
    *test_exit_marks.ROWS,
    *test_git.ROWS,
    *test_go.ROWS,
    *test_infrastructure.ROWS,
    *test_jvm.ROWS,
    *test_php_ruby.ROWS,
    *test_rust.ROWS,
    *test_shell.ROWS,
]
#: Commands whose status is not that of the tool.
HIDDEN = ("|", "; echo")
#: Tools that were told to end with 0 in spite of failures.
TOLD_TO_PASS = ("maven/failures_ignored",)


def exit_status(place: str) -> int | None:
    """Return the status in the first line "# source: COMMAND; exit status N"; None if hidden."""
    first = (FOLDER / f"{place}.txt").read_text(encoding="utf-8").partition("\n")[0]
    command, mark, status = first.rpartition("; exit status ")
    return int(status) if mark and not any(text in command for text in HIDDEN) else None


RECORDED = [(tool, place) for tool, place, _ in ROWS if exit_status(place) is not None]


def test_most_rows_have_a_status() -> None:
    assert len(RECORDED) > len(ROWS) / 2


@pytest.mark.parametrize(("tool", "place"), RECORDED)
def test_status(tool: str, place: str) -> None:
    outcome = parse_output(tool, read(*place.split("/")))
    if outcome is not None and place not in TOLD_TO_PASS:
        assert outcome.status != (FAILED if exit_status(place) == 0 else PASSED)


@pytest.mark.parametrize("place", sorted({place for _, place in RECORDED}))
def test_status_of_what_is_recognised(place: str) -> None:
    found = recognise(read(*place.split("/")))
    if found is not None and place not in TOLD_TO_PASS:
        assert found[1].status != (FAILED if exit_status(place) == 0 else PASSED)
