"""The figures of the statistics, from records and rows with known answers."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.settings import Composite
from groundwire.hook.memory import project_of
from groundwire.runs.stats import decision_figures
from groundwire_confidence.composite.formula import CompositeScores, assess
from groundwire_confidence.history_read import history_row
from groundwire_confidence.stats import run_figures
from tests.support.tables import table, tables

TABLES = tables(__file__)
NOW = datetime(2025, 11, 15, 12, tzinfo=UTC)
DAY = 86_400


def test_decisions() -> None:
    wanted = {**TABLES["decisions"], "last_stopped": TABLES["stopped"]}
    assert decision_figures(TABLES["records"]) == wanted


values = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
keys = st.sampled_from(list(TABLES["records"][0]))


@given(st.dictionaries(keys, values), st.sampled_from(["block", "report", "pass", "no", None, 3]))
def test_records_of_any_shape_are_counted_or_passed_over(odd: dict[str, Any], action: Any) -> None:
    found = decision_figures([{**TABLES["records"][0], **odd, "decision": action}])
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


@table
def test_trend(shares: list[float], direction: str | None) -> None:
    trend = run_figures([run(1 + n, share) for n, share in enumerate(shares)])["trend"]
    assert (trend and trend["direction"]) == direction
