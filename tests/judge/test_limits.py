"""How often a judge is asked in a day, and when it is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.judge.limits import FAILURES, OFF_SECONDS, settle, take
from groundwire.settings import Judge

NOW = 1_800_000_000.0
DAY = 86_400.0


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def test_calls_of_a_day_end_at_the_limit_and_begin_again_tomorrow(folder: str) -> None:
    judge = Judge(calls_per_day=2)
    for _ in range(2):
        assert take(folder, judge, NOW).refusal == ""
        assert settle(folder, NOW) == ""
    refused = [take(folder, judge, NOW) for _ in range(2)]
    assert [one.refusal for one in refused] == ["calls_per_day is reached"] * 2
    assert [bool(one.text) for one in refused] == [True, False]
    assert take(folder, judge, NOW + DAY).refusal == ""


def test_a_cached_answer_is_no_call(folder: str) -> None:
    judge = Judge(calls_per_day=1)
    for _ in range(3):
        assert take(folder, judge, NOW).refusal == ""
        settle(folder, NOW, cached=True, cost=0.0)


def test_dollars_of_a_day(folder: str) -> None:
    judge = Judge(cost_per_day=0.01)
    take(folder, judge, NOW)
    settle(folder, NOW, cost=0.02)
    assert take(folder, judge, NOW).refusal == "cost_per_day is reached"
    assert take(folder, Judge(cost_per_day=1.0), NOW).refusal == ""


def test_failures_in_a_row_and_none_of_them_forgiven_by_the_day(folder: str) -> None:
    judge = Judge()
    told = []
    for _ in range(FAILURES):
        assert take(folder, judge, NOW).refusal == ""
        told.append(settle(folder, NOW, problem="no answer"))
    assert [bool(one) for one in told] == [False, False, True]
    assert "no answer" in told[2]
    assert take(folder, judge, NOW + OFF_SECONDS - 1).refusal
    assert take(folder, judge, NOW + OFF_SECONDS).refusal == ""


def test_a_success_between_failures_begins_anew(folder: str) -> None:
    for problem in ("a", "b", "", "c", "d"):
        assert take(folder, Judge(), NOW).refusal == ""
        assert settle(folder, NOW, problem=problem) == ""
    assert take(folder, Judge(), NOW).refusal == ""


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"day": 1}', json.dumps(3).encode()])
def test_a_damaged_file_is_a_new_one(folder: str, content: bytes) -> None:
    path = Path(folder) / "judge.json"
    path.parent.mkdir()
    path.write_bytes(content)
    assert take(folder, Judge(), NOW).refusal == ""
    assert json.loads(path.read_bytes())["calls"] == 1


def test_without_a_place_to_count_nobody_is_asked(tmp_path: Path) -> None:
    assert take(None, Judge(), NOW).refusal
    (tmp_path / "file").touch()
    assert take(str(tmp_path / "file"), Judge(), NOW).refusal
