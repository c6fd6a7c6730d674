"""Which files a turn changed, which of these changes make a run stale, and which weaken tests."""

from __future__ import annotations

from groundwire.evidence.edits import Edit, edits_of, is_source
from groundwire.evidence.weakened import weakened_by
from tests.support.calls import Calls, calls_of
from tests.support.tables import table

CWD = "/home/dev/shop"


def sources(calls: Calls, cwd: str = CWD) -> list[str]:
    edits = edits_of(calls_of(calls), cwd)
    return [edit.path for edit in edits if edit.is_source and edit.succeeded]


@table
def test_what_is_made_and_taken_away_again_is_no_source(calls: Calls) -> None:
    assert sources(calls) == []


@table
def test_what_is_left_is_source(calls: Calls, paths: list[str]) -> None:
    assert sources(calls) == paths


@table
def test_what_lies_outside_is_no_source(command: str) -> None:
    assert sources([["Bash", command]]) == []


def test_a_project_in_a_temporary_folder_is_one() -> None:
    assert sources([["Bash", "cd /tmp/shop && echo x > main.go"]], "/tmp/shop") == ["main.go"]


def test_an_edit_names_its_call() -> None:
    rows: Calls = [["Edit", "README.md"], ["MultiEdit", "a.py", "no", True], ["Bash", "rm b.py"]]
    assert edits_of(calls_of(rows), CWD) == (
        Edit(0, "t-1", "README.md", is_source=False),
        Edit(1, "t-2", "a.py", succeeded=False),
        Edit(2, "t-3", "b.py", removed=True),
    )


@table
def test_files_that_a_run_reads(path: str, wanted: bool) -> None:
    assert is_source(path) is wanted


@table
def test_weakened(calls: Calls, found: list[list[str]]) -> None:
    assert [[*one] for one in weakened_by(calls_of(calls))] == found
