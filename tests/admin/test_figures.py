"""Trends, reliability, and the A/B test: who is in which group, and what the report says."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from groundwire.errors import ConflictError
from groundwire_admin.service import Admin
from groundwire_admin.service.experiment import ExperimentView
from groundwire_admin.service.experiment_groups import (
    GROUPS,
    SHARES,
    bucket_of,
    checked_shares,
    group_of,
)
from groundwire_admin.service.experiment_report import GroupView, criteria, group_view
from groundwire_admin.service.numbers import bin_of, distribution, percentile, share_view
from groundwire_admin.store import judgements
from groundwire_admin.store.database import Store
from groundwire_admin.store.judgements import Judged
from tests.admin.logs import a_judgement, a_match, a_record, write
from tests.conftest import Hook

SINCE = datetime(2026, 11, 1, tzinfo=UTC)
UNTIL = datetime(2026, 11, 4, tzinfo=UTC)


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
    found = [tuple(row.model_dump().values()) for row in trends.latency]
    assert found == [("2026-11-01", 3, 20.0, 30.0, 30.0), ("2026-11-02", 1, 400.0, 400.0, 400.0)]
    overall = trends.overall_latency
    assert overall is not None
    assert (overall.turns, overall.p50, overall.p95) == (4, 20.0, 400.0)
    assert filled.figures.trends(SINCE, UNTIL, "explore").turns == 1
    assert filled.figures.trends(SINCE, UNTIL, "").turns == 3
    nothing = filled.figures.trends(SINCE, UNTIL, "none")
    assert (nothing.turns, nothing.per_day, nothing.overall_latency) == (0, [], None)


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


def test_intervals_are_those_of_scipy() -> None:
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    for hits, count in ((0, 1), (1, 1), (0, 35), (3, 10), (99, 100), (7, 9)):
        wanted = binomtest(hits, count).proportion_ci(method="wilson")
        view = share_view(hits, count)
        assert (view.low, view.high) == pytest.approx((wanted.low, wanted.high))
    nothing = share_view(0, 0)
    assert (nothing.of, nothing.share, nothing.low, nothing.high) == (0, None, None, None)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.sampled_from([0.25, 0.5, 0.95, 1.0]))
def test_percentiles_are_those_of_numpy(values: list[float], share: float) -> None:
    import numpy as np

    ranked = sorted(values)
    assert percentile(ranked, share) == np.quantile(ranked, share, method="inverted_cdf")


def test_bins_and_distributions() -> None:
    for value, place in ((0, 0), (0.1, 1), (0.3, 3), (0.6, 6), (0.7, 7), (0.999, 9), (1, 9)):
        assert bin_of(value, 10) == place
    found = distribution([0.05, 0.95, 1.0, 0.95])
    assert found.counts == [1, 0, 0, 0, 0, 0, 0, 0, 0, 3]
    assert (found.mean, found.p25, found.p50, found.p75) == (0.7375, 0.05, 0.95, 0.95)
    nothing = distribution([])
    assert (nothing.counts, nothing.mean, nothing.p25, nothing.p75) == ([0] * 10, None, None, None)


def test_sessions_are_shared_out_33_33_34() -> None:
    """A002-13: 3 x 33 is 99; the rest is hybrid."""
    sizes = Counter(group_of(bucket) for bucket in range(100))
    assert sizes == {"formula": 33, "llm": 33, "hybrid": 34}
    assert sum(SHARES) == 100
    counts = Counter(group_of(bucket_of(f"session-{number}")) for number in range(20_000))
    # four standard deviations of 20,000 draws of a third
    assert all(
        abs(counts[name] / 20_000 - share / 100) < 0.0134
        for name, share in zip(GROUPS, SHARES, strict=True)
    )
    names = ("", "s1", "5f0c1c6e-0000-4000-8000-000000000001")
    assert [bucket_of(name) for name in names] == [70, 22, 11]


@given(st.text(), st.tuples(st.integers(0, 100), st.integers(0, 100)))
def test_every_session_has_one_group(name: str, cuts: tuple[int, int]) -> None:
    low, high = sorted(cuts)
    shares = checked_shares(low, high - low, 100 - high)
    bucket = bucket_of(name)
    assert 0 <= bucket < 100
    group = group_of(bucket, shares)
    assert shares[GROUPS.index(group)] > 0


def test_the_test_is_switched_on_and_off(admin: Admin) -> None:
    shares = admin.experiment.shares()
    assert tuple(shares.model_dump().values()) == (False, 33, 33, 34, 0)
    assert admin.experiment.method_of("s") == ""
    saved = admin.experiment.save_shares(running=True, who="ann", version=0)
    assert (saved.running, saved.version) == (True, 1)
    assert admin.experiment.method_of("s") == group_of(bucket_of("s"))
    with pytest.raises(ConflictError):
        admin.experiment.save_shares(running=False, who="bob", version=0)


def add(
    admin: Admin, session_id: str, group: str, score: float, vote: int = 0, **fields: Any
) -> None:
    """Keep one chat judgement of a session of a group."""
    judge = None if group == "formula" else score
    names = {"session": session_id, "requested_method": group, "method": group}
    columns = a_judgement(**{**names, "score": score, "llm_score": judge, **fields})
    with admin.store.write() as session:
        judgements.assign(session, session_id, group, 0)
        number = judgements.add(session, **columns).id
    if vote:
        admin.samples.vote(number, vote, who="ann")


def group(report: ExperimentView, name: str) -> GroupView:
    return next(one for one in report.groups if one.method == name)


def test_the_report_of_nothing(admin: Admin) -> None:
    report = admin.experiment.report()
    assert [one.judgements for one in report.groups] == [0, 0, 0]
    assert [one.state for one in report.criteria] == ["not enough data"] * 3
    assert [one.measured for one in report.criteria] == ["nothing"] * 3
    assert report.groups[0].cost == 0.0
    assert report.groups[0].cost_per_judgement is None


def test_the_figures_of_a_group(admin: Admin) -> None:
    add(admin, "a", "hybrid", 0.95, 1, milliseconds=700.0)
    add(admin, "a", "hybrid", 0.90, -1, milliseconds=500.0)  # high and wrong
    add(admin, "b", "hybrid", 0.79, 1)  # low and right
    add(admin, "b", "hybrid", 0.40, -1, llm_score=None, cached=True)
    add(admin, "b", "hybrid", 0.80)  # not rated; the threshold itself is high
    add(admin, "c", "llm", 0.1)
    found = group(admin.experiment.report(), "hybrid")
    assert (found.sessions, found.judgements, found.fell_back, found.cached) == (2, 5, 1, 1)
    assert (found.thumbs_up, found.thumbs_down) == (2, 2)
    assert (found.escalation.count, found.escalation.of) == (2, 5)
    assert (found.false_positive.count, found.false_positive.of) == (1, 2)
    assert (found.false_negative.count, found.false_negative.of) == (1, 2)
    assert (found.detection.count, found.detection.of) == (1, 2)
    assert (found.milliseconds_p50, found.milliseconds_p95) == (50.0, 700.0)
    assert (found.tokens, found.cost, found.cost_per_judgement) == (500, 0.001, 0.0002)
    assert found.scores.counts == [0, 0, 0, 0, 1, 0, 0, 1, 1, 2]


def test_the_threshold_can_be_moved(admin: Admin) -> None:
    add(admin, "a", "hybrid", 0.6, -1)
    assert group(admin.experiment.report(), "hybrid").false_positive.of == 0
    moved = group(admin.experiment.report(threshold=0.5), "hybrid")
    assert (moved.false_positive.count, moved.false_positive.of) == (1, 1)


def test_what_does_not_count(admin: Admin, store: Store) -> None:
    add(admin, "a", "formula", 0.9)
    add(admin, "a", "formula", 0.9, requested_method="llm")  # while the test was off
    add(admin, "a", "formula", 0.9, purpose="sample")
    assert group(admin.experiment.report(), "formula").judgements == 1
    with store.write() as session:  # scored before the session was put in its group
        later = datetime.now(UTC) + timedelta(hours=1)
        session.execute(text("UPDATE assignments SET at = :at"), {"at": later.isoformat(" ")})
    assert group(admin.experiment.report(), "formula").judgements == 0


def test_a_window_and_an_unknown_price(admin: Admin) -> None:
    add(admin, "a", "formula", 0.9)
    now = datetime.now(UTC)
    hour = timedelta(hours=1)
    assert group(admin.experiment.report(now - hour, now + hour), "formula").judgements == 1
    assert group(admin.experiment.report(now + hour), "formula").judgements == 0
    assert group(admin.experiment.report(until=now - hour), "formula").judgements == 0
    add(admin, "b", "llm", 0.9)
    add(admin, "b", "llm", 0.9, cost=None)
    found = group(admin.experiment.report(), "llm")
    assert (found.cost, found.cost_per_judgement) == (None, None)


def rows(count: int, score: float, right: bool, milliseconds: float = 10.0) -> list[Judged]:
    one = Judged(score, False, 0.0, 0, milliseconds, False, int(right), int(not right))
    return [one] * count


LOW_WRONG, HIGH_RIGHT, HIGH_WRONG = (0.2, False), (0.9, True), (0.9, False)
SLOW = [*rows(95, *HIGH_RIGHT, 5.0), *rows(5, *HIGH_RIGHT, 900.0)]
MET, UNMET, UNKNOWN = "met", "not met", "not enough data"
CRITERIA: dict[str, tuple[list[Judged], list[Judged], list[Judged], list[str]]] = {
    "all met": (
        rows(20, *HIGH_RIGHT, 99.0),
        rows(35, *LOW_WRONG),
        rows(35, *HIGH_RIGHT),
        [MET, MET, MET],
    ),
    "one fewer of each is not enough": (
        rows(19, *HIGH_RIGHT, 1.0),
        rows(34, *LOW_WRONG),
        rows(34, *HIGH_RIGHT),
        [UNKNOWN] * 3,
    ),
    "none met": (
        rows(20, *HIGH_RIGHT, 100.0),
        rows(35, *HIGH_WRONG),
        rows(35, *HIGH_WRONG),
        [UNMET] * 3,
    ),
    "the bound within the interval": (
        rows(5, *HIGH_RIGHT),
        [*rows(90, *LOW_WRONG), *rows(10, *HIGH_WRONG)],
        [*rows(95, *HIGH_RIGHT), *rows(5, *HIGH_WRONG)],
        [UNKNOWN] * 3,
    ),
    "a few slow ones in a hundred are allowed": (SLOW, [], [], [UNKNOWN, UNKNOWN, MET]),
}


def test_the_success_criteria() -> None:
    """R002-36; 35 of 35 is the fewest whose interval lies beyond 90 %."""
    for name, (*measured, states) in CRITERIA.items():
        groups = {
            one: group_view(one, 1, of, 0.8) for one, of in zip(GROUPS, measured, strict=True)
        }
        assert [one.state for one in criteria(groups)] == states, name


def test_votes_that_are_even_are_no_rating() -> None:
    even = Judged(0.9, False, 0.0, 0, 1.0, False, 1, 1)
    view = group_view("hybrid", 1, [even], 0.8)
    assert (view.thumbs_up, view.thumbs_down, view.false_positive.of) == (1, 1, 0)
