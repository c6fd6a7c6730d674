"""The figures of the statistics, from records and rows with known answers."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.composite.formula import CompositeScores, assess
from groundwire.history.append import append_row
from groundwire.history.rows import history_row
from groundwire.settings import Composite, Log
from groundwire.state.log import append
from groundwire.state.project import project_of
from groundwire.stats.collect import collect
from groundwire.stats.decisions import decision_figures
from groundwire.stats.runs import run_figures
from tests.support.tables import table, tables

TABLES = tables(__file__)
NOW = datetime(2025, 11, 15, 12, tzinfo=UTC)
DAY = 86_400
SHOP = "/home/ana/.claude/projects/-home-ana-shop/5.jsonl"


def record(action: str, day: int = 15, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{action}-{day}",
        "time": f"2025-11-{day:02}T08:00:00.123Z",
        "decision": action,
        "transcript": SHOP,
        "agent_type": "",
        "matches": [],
        "milliseconds": 20.0,
        "error": "",
        **more,
    }


def test_decisions() -> None:
    wanted = {**TABLES["decisions"], "last_stopped": TABLES["stopped"]}
    assert decision_figures(TABLES["records"]) == wanted


values = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
keys = st.sampled_from(list(record("pass")))


@given(st.dictionaries(keys, values), st.sampled_from(["block", "report", "pass", "no", None, 3]))
def test_records_of_any_shape_are_counted_or_passed_over(odd: dict[str, Any], action: Any) -> None:
    found = decision_figures([{**record("pass"), **odd, "decision": action}])
    assert found["turns"] == (action in ("block", "report", "pass"))


@table
def test_project_of_a_transcript(transcript: str, project: str) -> None:
    assert project_of(transcript) == project


def run(day: int, share: float, name: str = "p-1", code: float | None = None) -> dict[str, Any]:
    """Return a row in which each factor is ``share``, except that of the code."""
    scores = CompositeScores(share, share if code is None else code, share, share)
    moment = NOW.timestamp() - (15 - day) * DAY
    project = "/shop" if name == "p-1" else ""
    assessment = assess("patcher", scores, Composite())
    return history_row(assessment, name, "patcher", "T-1", moment, project)


def test_runs() -> None:
    rows = [run(15, 0.9), run(13, 0.6), run(14, 1.0, code=0.5), run(15, 0.9, "p-2")]
    found = run_figures(rows)
    assert (found["executions"], found["success_rate"], found["blocked"]) == (4, 0.75, 1)
    assert found["average_confidence"] == pytest.approx((0.9 + 0.6 + 0.85 + 0.9) / 4)
    assert found["factors"] == pytest.approx(
        {
            "knowledge_base_score": 0.85,
            "code_validation_score": 0.725,
            "response_certainty_score": 0.85,
            "agent_history_score": 0.85,
        }
    )
    assert found["weakest_factor"] == "code_validation_score"
    assert found["levels"] == {"LOW": 1, "MODERATE": 3}
    assert [row["day"] for row in found["per_day"]] == ["2025-11-13", "2025-11-14", "2025-11-15"]
    assert [row["executions"] for row in found["per_day"]] == [1, 1, 2]
    agents = [
        (row["agent_name"], row["executions"], row["threshold"]) for row in found["per_agent"]
    ]
    assert agents == [("p-1", 3, 0.8), ("p-2", 1, 0.8)]
    projects = [(row["project"], row["executions"]) for row in found["per_project"]]
    assert projects == [("/shop", 3), ("unknown", 1)]
    (blocked,) = found["last_blocked"]
    assert blocked["block_reason"].startswith("Confidence 60.00% is below")


@table
def test_trend(shares: list[float], direction: str | None) -> None:
    trend = run_figures([run(1 + n, share) for n, share in enumerate(shares)])["trend"]
    assert (trend and trend["direction"]) == direction


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a home with a log of three weeks and a history."""
    env = {"HOME": str(tmp_path)}
    state = tmp_path / ".local/state/groundwire"
    for day in (1, 8, 9, 15):
        one = record("block", day, agent_type="reviewer" if day == 9 else "")
        assert append(str(state), one, Log()) == ""
    with (state / "decisions.jsonl").open("a", encoding="ascii") as log:
        log.write("torn\n")
    history = tmp_path / ".claude/validation/history"
    for day in (1, 8, 9, 15):
        row = run(day, 0.9, f"p-{day % 2}")
        moment = NOW.timestamp() - (15 - day) * DAY
        assert append_row(str(history), row, moment, 90) == ""
    with next(history.glob("*-15.jsonl")).open("a", encoding="ascii") as file:
        file.write("{}\n")
    return env


def counts(found: dict[str, Any]) -> tuple[int, int]:
    return found["decisions"]["turns"], found["composite"]["executions"]


@table
def test_window(since: str, agent: str, expected: tuple[int, int], place: dict[str, str]) -> None:
    found = collect(place, Composite(), since, NOW, agent)
    assert counts(found) == tuple(expected)
    assert found["decisions"]["skipped_lines"] == 1
    assert found["composite"]["skipped_lines"] <= 1
    assert counts(collect({}, Composite(), since, NOW)) == (0, 0)
