"""The A/B test: who is in which group, and what the report says."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from groundwire.errors import ConfigError, ConflictError
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
from groundwire_admin.store import judgements
from groundwire_admin.store.database import Store
from groundwire_admin.store.judgements import Judged
from tests.admin.store.logs import a_judgement


@pytest.fixture
def admin(store: Store) -> Admin:
    return Admin(store, {})


def test_sessions_are_shared_out_33_33_34() -> None:
    """A002-13: 3 x 33 is 99; the rest is hybrid."""
    assert Counter(group_of(bucket) for bucket in range(100)) == {
        "formula": 33,
        "llm": 33,
        "hybrid": 34,
    }
    assert sum(SHARES) == 100


def test_many_sessions_are_shared_out_evenly() -> None:
    counts = Counter(group_of(bucket_of(f"session-{number}")) for number in range(20_000))
    # four standard deviations of 20,000 draws of a third
    assert all(
        abs(counts[name] / 20_000 - share / 100) < 0.0134
        for name, share in zip(GROUPS, SHARES, strict=True)
    )


def test_the_bucket_of_a_session_never_changes() -> None:
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


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((33, 33, 33), r"33 \+ 33 \+ 33 = 99: allowed: shares that sum to 100"),
        ((-1, 50, 51), "formula: value -1"),
        ((50.0, 25, 25), "formula: value 50.0: allowed: a whole number"),
        ((True, 50, 49), "formula: value True"),
        (("a", None, 101), "hybrid: value 101"),
    ],
)
def test_shares_that_are_not_allowed(shares: tuple[Any, Any, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        checked_shares(*shares)


def test_the_test_is_switched_on_and_off(admin: Admin) -> None:
    shares = admin.experiment.shares()
    assert shares.model_dump() == {
        "running": False,
        "formula": 33,
        "llm": 33,
        "hybrid": 34,
        "version": 0,
    }
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
    with pytest.raises(ConfigError, match=r"threshold: value 1\.5"):
        admin.experiment.report(threshold=1.5)
    with pytest.raises(ConfigError, match="until: value"):
        admin.experiment.report(until=datetime(2026, 1, 1))


def test_what_does_not_count(admin: Admin, store: Store) -> None:
    add(admin, "a", "formula", 0.9)
    add(admin, "a", "formula", 0.9, requested_method="llm")  # while the test was off
    add(admin, "a", "formula", 0.9, purpose="sample")
    assert group(admin.experiment.report(), "formula").judgements == 1
    with store.write() as session:  # scored before the session was put in its group
        later = datetime.now(UTC) + timedelta(hours=1)
        session.execute(text("UPDATE assignments SET at = :at"), {"at": later.isoformat(" ")})
    assert group(admin.experiment.report(), "formula").judgements == 0


def test_a_window(admin: Admin) -> None:
    add(admin, "a", "formula", 0.9)
    now = datetime.now(UTC)
    hour = timedelta(hours=1)
    assert group(admin.experiment.report(now - hour, now + hour), "formula").judgements == 1
    assert group(admin.experiment.report(now + hour), "formula").judgements == 0
    assert group(admin.experiment.report(until=now - hour), "formula").judgements == 0


def test_an_unknown_price_is_no_sum(admin: Admin) -> None:
    add(admin, "a", "llm", 0.9)
    add(admin, "a", "llm", 0.9, cost=None)
    found = group(admin.experiment.report(), "llm")
    assert (found.cost, found.cost_per_judgement) == (None, None)


def rows(count: int, score: float, right: bool, milliseconds: float = 10.0) -> list[Judged]:
    one = Judged(score, False, 0.0, 0, milliseconds, False, int(right), int(not right))
    return [one] * count


CRITERIA: list[tuple[str, list[Judged], list[Judged], list[Judged], list[str]]] = [
    (
        "all met",
        rows(20, 0.9, True, 99.0),
        rows(35, 0.2, False),
        rows(35, 0.9, True),
        ["met", "met", "met"],
    ),
    (
        "one fewer of each is not enough",
        rows(19, 0.9, True, 1.0),
        rows(34, 0.2, False),
        rows(34, 0.9, True),
        ["not enough data"] * 3,
    ),
    (
        "none met",
        rows(20, 0.9, True, 100.0),
        rows(35, 0.9, False),
        rows(35, 0.9, False),
        ["not met", "not met", "not met"],
    ),
    (
        "the bound within the interval",
        rows(5, 0.9, True),
        [*rows(90, 0.2, False), *rows(10, 0.9, False)],
        [*rows(95, 0.9, True), *rows(5, 0.9, False)],
        ["not enough data"] * 3,
    ),
    (
        "a few slow ones in a hundred are allowed",
        [*rows(95, 0.9, True, 5.0), *rows(5, 0.9, True, 900.0)],
        [],
        [],
        ["not enough data", "not enough data", "met"],
    ),
]


@pytest.mark.parametrize(
    ("formula", "llm", "hybrid", "states"),
    [row[1:] for row in CRITERIA],
    ids=[row[0] for row in CRITERIA],
)
def test_the_success_criteria(
    formula: list[Judged], llm: list[Judged], hybrid: list[Judged], states: list[str]
) -> None:
    """R002-36; 35 of 35 is the fewest whose interval lies beyond 90 %."""
    found = zip(GROUPS, (formula, llm, hybrid), strict=True)
    groups = {name: group_view(name, 1, of, 0.8) for name, of in found}
    assert [one.state for one in criteria(groups)] == states


def test_votes_that_are_even_are_no_rating() -> None:
    even = Judged(0.9, False, 0.0, 0, 1.0, False, 1, 1)
    view = group_view("hybrid", 1, [even], 0.8)
    assert (view.thumbs_up, view.thumbs_down, view.false_positive.of) == (1, 1, 0)
