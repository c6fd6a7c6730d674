"""Trends and reliability, against numbers counted by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ConfigError
from groundwire_admin.service import Admin
from groundwire_admin.service.numbers import bin_of, distribution, percentile, share_view
from groundwire_admin.store import judgements
from groundwire_admin.store.database import Store
from tests.admin.store.logs import a_judgement, a_match, a_record, write
from tests.conftest import Hook

SINCE = datetime(2026, 11, 1, tzinfo=UTC)
UNTIL = datetime(2026, 11, 4, tzinfo=UTC)


@pytest.fixture
def admin(store: Store, hook: Hook) -> Admin:
    return Admin(store, hook.env)


@pytest.fixture
def filled(admin: Admin, hook: Hook) -> Admin:
    causal = a_match(kind="causality_language", confidence=90)
    write(
        hook.state,
        a_record(1, decision="block", milliseconds=10.0, matches=[a_match(), causal]),
        a_record(2, decision="report", milliseconds=30.0, agent_type="explore"),
        a_record(3, decision="pass", milliseconds=20.0, matches=[]),
        a_record(1441, decision="pass", milliseconds=400.0, matches=[], error="no space"),
        a_record(5000, decision="block"),
    )
    admin.decisions.take_in()
    return admin


def test_trends(filled: Admin) -> None:
    trends = filled.figures.trends(SINCE, UNTIL)
    assert trends.turns == 4
    assert [day.model_dump() for day in trends.per_day] == [
        {"day": "2026-11-01", "blocked": 1, "reported": 1, "passed": 1, "errors": 0},
        {"day": "2026-11-02", "blocked": 0, "reported": 0, "passed": 1, "errors": 1},
    ]
    assert [kind.model_dump() for kind in trends.per_kind] == [
        {
            "kind": "speculation_language",
            "matches": 2,
            "in_blocked": 1,
            "average_confidence": 75.0,
        },
        {"kind": "causality_language", "matches": 1, "in_blocked": 1, "average_confidence": 90.0},
    ]
    assert [agent.model_dump() for agent in trends.per_agent] == [
        {"agent_type": "", "blocked": 1, "reported": 0, "passed": 2},
        {"agent_type": "explore", "blocked": 0, "reported": 1, "passed": 0},
    ]
    assert [(row.day, row.turns, row.p50, row.p95, row.p99) for row in trends.latency] == [
        ("2026-11-01", 3, 20.0, 30.0, 30.0),
        ("2026-11-02", 1, 400.0, 400.0, 400.0),
    ]
    overall = trends.overall_latency
    assert overall is not None
    assert (overall.turns, overall.p50, overall.p95) == (4, 20.0, 400.0)


def test_trends_of_one_agent(filled: Admin) -> None:
    assert filled.figures.trends(SINCE, UNTIL, "explore").turns == 1
    assert filled.figures.trends(SINCE, UNTIL, "").turns == 3
    nothing = filled.figures.trends(SINCE, UNTIL, "none")
    assert (nothing.turns, nothing.per_day, nothing.overall_latency) == (0, [], None)


def test_windows_that_are_not_allowed(admin: Admin) -> None:
    with pytest.raises(ConfigError, match=r"since: value .* allowed: a time before"):
        admin.figures.trends(UNTIL, SINCE)
    with pytest.raises(ConfigError, match=r"until: value .* a time with its zone"):
        admin.figures.trends(SINCE, datetime(2026, 11, 4))


def judged(admin: Admin, score: float, *votes: int) -> None:
    with admin.store.write() as session:
        number = judgements.add(session, **a_judgement(score=score)).id
    for person, vote in enumerate(votes):
        admin.samples.vote(number, vote, who=f"p{person}")


def test_reliability_of_judgements(admin: Admin) -> None:
    judged(admin, 0.95, 1, 1)
    judged(admin, 0.92, -1)
    judged(admin, 0.3, -1)
    judged(admin, 0.5)  # nobody voted
    table = admin.figures.reliability("judgements")
    assert table.votes == 4
    used = {one.low: one for one in table.bins if one.right.of}
    assert set(used) == {0.3, 0.9}
    assert (used[0.9].said, used[0.9].right.count, used[0.9].right.of) == (0.94, 2, 3)
    assert (used[0.3].said, used[0.3].right.count) == (0.3, 0)
    # (2 * .05^2 + .92^2 + .3^2) / 4, and |.95 + .95 + .92 - 2| + .3 over 4
    assert table.brier == pytest.approx(0.23535)
    assert table.calibration_error == pytest.approx(0.28)


def test_reliability_of_decisions(filled: Admin) -> None:
    rows = filled.decisions.page().decisions
    by_number = {int(row.id[:16], 16): row.id for row in rows}
    filled.decisions.vote(by_number[1], 1, who="ann")
    filled.decisions.vote(by_number[2], -1, who="ann")
    filled.decisions.vote(by_number[3], 1, who="ann")  # let through, and that was right
    table = filled.figures.reliability("decisions")
    assert table.votes == 2
    found = [(one.said, one.right.share) for one in table.bins if one.right.of]
    assert found == [(0.75, 0.0), (0.9, 1.0)]


def test_without_votes_nothing_is_said(admin: Admin) -> None:
    table = admin.figures.reliability("judgements")
    assert (table.votes, table.brier, table.calibration_error) == (0, None, None)
    assert all((one.said, one.right.share) == (None, None) for one in table.bins)


@pytest.mark.parametrize(("hits", "count"), [(0, 1), (1, 1), (0, 35), (3, 10), (99, 100), (7, 9)])
def test_intervals_are_those_of_scipy(hits: int, count: int) -> None:
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    wanted = binomtest(hits, count).proportion_ci(method="wilson")
    view = share_view(hits, count)
    assert view.low == pytest.approx(wanted.low)
    assert view.high == pytest.approx(wanted.high)


def test_a_share_of_nothing() -> None:
    assert share_view(0, 0).model_dump() == {
        "count": 0,
        "of": 0,
        "share": None,
        "low": None,
        "high": None,
    }


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.sampled_from([0.25, 0.5, 0.95, 1.0]))
def test_percentiles_are_those_of_numpy(values: list[float], share: float) -> None:
    import numpy as np

    ranked = sorted(values)
    assert percentile(ranked, share) == np.quantile(ranked, share, method="inverted_cdf")


@pytest.mark.parametrize(
    ("value", "place"), [(0, 0), (0.1, 1), (0.3, 3), (0.6, 6), (0.7, 7), (0.999, 9), (1, 9)]
)
def test_bins(value: float, place: int) -> None:
    assert bin_of(value, 10) == place


def test_a_distribution() -> None:
    found = distribution([0.05, 0.95, 1.0, 0.95])
    assert found.counts == [1, 0, 0, 0, 0, 0, 0, 0, 0, 3]
    assert (found.mean, found.p25, found.p50, found.p75) == (0.7375, 0.05, 0.95, 0.95)
    assert distribution([]).model_dump() == {
        "counts": [0] * 10,
        "mean": None,
        "p25": None,
        "p50": None,
        "p75": None,
    }
