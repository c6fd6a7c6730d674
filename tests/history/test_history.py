"""The history on real files: windows, foreign lines, parallel writers, retention, speed."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.settings import Composite
from groundwire_confidence.composite.formula import CompositeScores, assess
from groundwire_confidence.history import append_row, clean, day_name, day_of
from groundwire_confidence.history_read import (
    agent_statistics,
    history_row,
    history_score,
    read_rows,
)
from tests.support.tables import rows, tables
from tests.support.together import ends, writers

TABLES = tables(__file__)
SETTINGS = Composite()
NOON = 1_763_208_000.0  # 2025-11-15T12:00:00Z
HOUR, DAY = 3_600, 86_400
NAME = "archon-patcher-1"


def row(met: bool = True, now: float = NOON, name: str = NAME, task: str = "T-1") -> dict[str, Any]:
    share = 0.9 if met else 0.6
    assessment = assess("patcher", CompositeScores(share, share, share, share), SETTINGS)
    return history_row(assessment, name, "patcher", task, now)


def write(folder: Path, *rows: dict[str, Any], now: float = NOON) -> None:
    for one in rows:
        assert append_row(str(folder), one, now, 90) == ""


def test_a_row_is_one_line_with_the_published_fields_in_their_order(tmp_path: Path) -> None:
    write(tmp_path, row(False))
    text = (tmp_path / "confidences-2025-11-15.jsonl").read_text(encoding="ascii")
    line = json.loads(text)
    assert (text[-1], text.count("\n")) == ("\n", 1)
    assert list(line) == [*TABLES["row"], "block_reason", "project", "certainty_markers"]
    reason = line.pop("block_reason")
    assert (line.pop("project"), line.pop("certainty_markers")) == (None, None)
    assert line == TABLES["row"]
    assert reason.startswith("Confidence 60.00% is below the 80.00% that patcher needs.")
    assert row(True)["block_reason"] is None
    write(tmp_path / "a" / "b", row())
    made = [tmp_path / "a", tmp_path / "a" / "b", *(tmp_path / "a" / "b").iterdir()]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o700, 0o700, 0o600]


def counted(back: int, hours: int, *, tmp_path: Path) -> bool:
    """Tell whether a row, so many seconds from now, counts in these hours."""
    write(tmp_path, row(True, NOON + back), now=NOON + back)
    return history_score(str(tmp_path), NAME, NOON, hours).total == 1


test_row = rows(__file__, counted=counted)


def test_only_the_very_same_name_counts(tmp_path: Path) -> None:
    write(tmp_path, row(False), row(name=NAME.upper()), row(name=f"{NAME}0"), row(name=f" {NAME}"))
    write(tmp_path, row(), row(), row())
    found = history_score(str(tmp_path), NAME, NOON, 24)
    assert (found.score, found.met, found.total) == (0.75, 3, 4)
    assert found.why(24) == "3 of 4 runs succeeded in the last 24 hours"
    assert len(read_rows(str(tmp_path), NOON - DAY, NOON).rows) == 7


def test_statistics_of_an_agent(tmp_path: Path) -> None:
    write(tmp_path, row(False), row(), row(), row(name="other"))
    rows = read_rows(str(tmp_path), NOON - DAY, NOON, NAME).rows
    figures = {key: round(one, 3) for key, one in agent_statistics(rows, 0.7).items()}
    assert figures == TABLES["statistics"]
    assert agent_statistics([], 0.7) == {**dict.fromkeys(figures, 0), "threshold": 0.7}


GOOD = json.dumps(row())
FOREIGN = [*TABLES["foreign"], GOOD[:40], "x" * 3_000_000, "[" * 100_000, "\x00" * 50]
FOREIGN += [GOOD.replace(*pair) for pair in TABLES["replaced"]]


@pytest.mark.parametrize("line", FOREIGN, ids=range(len(FOREIGN)))
def test_lines_that_are_none_are_skipped_and_counted(tmp_path: Path, line: str) -> None:
    write(tmp_path, row())
    path = tmp_path / day_name(NOON)
    foreign = line.encode() + b"\n" + GOOD.encode() + b"\n\xff\xfe\n" + GOOD[:30].encode()
    path.write_bytes(path.read_bytes() + foreign)
    write(tmp_path, row())  # a line without its end is closed first
    found = history_score(str(tmp_path), NAME, NOON, 24)
    assert (found.total, found.problems) == (3, ())
    assert read_rows(str(tmp_path), NOON - HOUR, NOON).skipped == 3


def test_many_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    count, folder = 150, tmp_path / "h"
    imports = "from groundwire_confidence.history import append_row"
    write = f"append_row(folder, {row()} | {{'task_id': f'{{writer}}-{{number}}'}}, {NOON}, 90)"
    with writers(folder, 3, count, imports, write) as running:
        assert ends(running) == [("", "", 0)] * 3
    found = read_rows(str(folder), NOON - DAY, NOON)
    tasks = [one["task_id"] for one in found.rows]
    assert (len(set(tasks)), len(tasks), found.skipped) == (3 * count, 3 * count, 0)
    for number in range(3):  # each writer's rows stay in their order
        own = [task for task in tasks if task.startswith(f"{number}-")]
        assert own == [f"{number}-{index}" for index in range(count)]


def test_day_files_older_than_90_days_go_with_the_first_row_of_a_day(tmp_path: Path) -> None:
    for days in (0, 1, 89, 90, 91, 92, 400):
        (tmp_path / day_name(NOON - days * DAY)).write_text(f"{GOOD}\n", encoding="ascii")
    others = ["notes.txt", "confidences-2020-01-01.jsonl.bak", "confidences-2020-1-1.jsonl"]
    for name in others:
        (tmp_path / name).write_text("mine", encoding="ascii")
    write(tmp_path, row())  # not the first row of its day
    assert len(list(tmp_path.iterdir())) == 10
    write(tmp_path, row(True, NOON + DAY), now=NOON + DAY)
    left = {day_of(path.name) for path in tmp_path.iterdir()} - {""}
    # the day that is exactly 90 days back has rows of the last 90 days
    assert left == {day_of(day_name(NOON - back * DAY)) for back in (-1, 0, 1, 89)}
    assert all((tmp_path / name).exists() for name in others)
    assert clean(str(tmp_path / "none"), NOON, 90) == ""
    assert clean(str(tmp_path), NOON + 2 * DAY, 90) == ""
    assert day_of(day_name(NOON - 89 * DAY)) not in {
        day_of(path.name) for path in tmp_path.iterdir()
    }


def test_trouble_is_told_and_never_raised(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="ascii")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for folder in (str(file), str(loop), "/proc/none/x", "a\0b"):
        assert append_row(folder, row(), NOON, 90).startswith("confidence history: ")
        assert history_score(folder, NAME, NOON, 24).score == 0.5
    assert append_row(None, row(), NOON, 90) == (
        "confidence history: there is no home folder to keep it in"
    )
    assert "cannot be written as JSON" in append_row(str(tmp_path), {"a": {1}}, NOON, 90)
