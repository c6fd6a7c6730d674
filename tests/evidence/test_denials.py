"""Plain words of reports: nothing by themselves, and a finding where the turn denies them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.everyday.rows import examined
from tests.support.tables import table

DENIALS = {"failed_open", "searched_hits", "count_differs", "not_done", "part"}


def denials(folder: Path, says: str, acts: list[list[Any]]) -> set[str]:
    row = {"file": "denials", "number": 1, "prompt": "please do it", "says": says}
    found = examined(folder, row, [["read", "notes.adoc", "nothing here"], *acts]).analysis
    return {one.name for match in found.matches for one in match.factors} & DENIALS


@table
def test_what_the_turn_denies(
    says: str, fact: str, denied: list[list[Any]], granted: list[list[Any]], tmp_path: Path
) -> None:
    assert denials(tmp_path, says, denied) == ({fact} if fact else set())
    assert denials(tmp_path, says, granted) == set()
