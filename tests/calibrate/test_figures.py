"""Figures by hand-made cases, by brute force, and intervals by the published formula."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.calibrate.figures import Group, by_verdict, figures, reliability
from groundwire.calibrate.predict import Prediction, units_of
from groundwire.confidence.share import Share
from groundwire.model import BLOCK, Decision
from tests.calibrate.synthetic import prediction
from tests.support.tables import table

Rows = Sequence[tuple[int, int]]  # flag, confidence (0: no match)


def one_message(rows: Rows) -> Prediction:
    return prediction("a", [(flag, [(c, "")] if c else []) for flag, c in rows])


def of(rows: Rows) -> dict[str, float]:
    return figures([one_message(rows)], 50)


def test_by_hand() -> None:
    """90 and 60 are predicted, one of them right; one flagged sentence has no match."""
    found = of([(1, 90), (0, 60), (0, 20), (1, 0), (0, 0)])
    assert (found["units"], found["flagged"], found["marked_units"]) == (5, 2, 3)
    assert (found["precision"], found["recall"]) == (0.5, 0.5)
    # steps: 1 of 1 at recall 1/2, then 2 of 5 at recall 1
    assert found["average_precision"] == pytest.approx(0.5 * 1 + 0.5 * 2 / 5)
    # pairs: 90 beats three, the missed one ties with one
    assert found["auroc"] == pytest.approx((3 + 0.5) / 6)
    ours = 0.1**2 + 0.6**2 + 0.2**2 + 1 + 0
    assert found["brier_skill"] == pytest.approx(1 - ours / (2 * 0.6**2 + 3 * 0.4**2))
    assert found["gap_from_30"] == pytest.approx(0.75 - 0.5)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 100)), min_size=2, max_size=40))
def test_auroc_counts_pairs(rows: list[tuple[int, int]]) -> None:
    flagged = [c for flag, c in rows if flag]
    others = [c for flag, c in rows if not flag]
    if not flagged or not others:
        assert isnan(of(rows)["auroc"])
        return
    wins = sum((a > b) + (a == b) / 2 for a in flagged for b in others)
    assert of(rows)["auroc"] == pytest.approx(wins / (len(flagged) * len(others)))


def test_judged_units_are_those_with_a_label() -> None:
    """Only flagged ones have a label here, so there is no other to rank them against."""
    assert isnan(of([(1, 80), (0, 20)])["auroc_judged"])


def test_disputed_sentences_are_left_out() -> None:
    with_it = prediction("a", [(1, [(90, "")]), (None, [(99, "")]), (0, [(10, "")])])
    without = prediction("a", [(1, [(90, "")]), (0, [(10, "")])])
    assert figures([with_it], 50) == figures([without], 50)


@pytest.mark.parametrize("rows", [[(0, 0)], [(0, 70)], [(1, 70)], []])
def test_too_little_gives_nan_not_an_error(rows: Rows) -> None:
    assert isnan(of(rows)["auroc"])


def stopped(name: str, flag: int | None) -> Prediction:
    return prediction(name, [(flag, [(95, "")])]).replace(decision=Decision(BLOCK))


def test_blocks_are_counted_by_message() -> None:
    found = figures(
        [
            stopped("right", 1),
            stopped("wrong", 0),
            stopped("disputed", None),
            prediction("missed", [(1, [(55, "")])]),
            prediction("clean", [(0, [])]),
        ],
        50,
    )
    assert (found["messages"], found["messages_judged"], found["blocked"]) == (5, 4, 2)
    assert found["block_precision"] == found["block_recall"] == found["false_block_rate"] == 0.5


@table
def test_wilson_intervals(hits: int, count: int, low: float, high: float) -> None:
    assert Share(hits, count).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500), st.data())
def test_an_interval_holds_its_share(count: int, data: st.DataObject) -> None:
    share = Share(data.draw(st.integers(0, count)), count)
    low, high = share.interval
    assert 0 <= low <= share.value + 1e-12
    assert share.value - 1e-12 <= high <= 1


def test_reliability_bins() -> None:
    rows = [(0, 1), (1, 9), (0, 10), (1, 90), (1, 99), (0, 100), (0, 0)]
    bins = reliability(units_of([one_message(rows)]))
    assert [one.name for one in bins] == ["0-9", "10-19", "90-100"]
    assert [(one.flagged.hits, one.flagged.count) for one in bins] == [(1, 2), (0, 1), (2, 3)]
    assert [one.mean for one in bins] == [5, 10, pytest.approx(289 / 3)]


def test_verdicts() -> None:
    rows = [(1, [(90, "contradicted")]), (0, [(80, "contradicted"), (30, "")]), (1, [(75, "")])]
    assert by_verdict(units_of([prediction("a", [*rows, (1, [])])])) == [
        Group("contradicted", 85.0, Share(1, 2)),
        Group("no verdict", 75.0, Share(1, 1)),
    ]
