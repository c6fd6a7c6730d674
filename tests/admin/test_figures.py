"""Trends, and the A/B test: who is in which group, and what the report says of its criteria."""

from collections import Counter
from typing import Any

import pytest

from groundwire.base.model import Factor, Marker, Match
from groundwire_confidence.votes import cuts, proposed
from groundwire_server.admin.pages.decisions import Chosen
from groundwire_server.admin.pages.trends_page import since
from groundwire_server.admin.service.experiment import GROUPS, SHARES, bucket_of, group_of
from groundwire_server.admin.service.experiment_report import Judged, criteria, group_view
from groundwire_server.admin.service.view import added_up
from tests.support.tables import rows


def test_a_window_has_the_days_of_the_list_that_it_leads_to() -> None:
    begin = since(30)
    assert Chosen.of({"since": f"{begin:%Y-%m-%d}"}).filter("").since == begin


def points(confidence: int, logits: list[float]) -> tuple[int, list[int]]:
    factors = tuple(Factor(f"f{at}", 1.0, value) for at, value in enumerate(logits))
    return added_up(Match("k", "e", 0, confidence, Marker("m", "k"), (0, 1), factors))


def test_sessions_are_shared_out_33_33_34() -> None:
    """A002-13: 3 x 33 is 99; the rest is hybrid."""
    sizes = Counter(map(group_of, range(100)))
    assert [sizes[name] for name in GROUPS] == list(SHARES) == [33, 33, 34]
    counts = Counter(group_of(bucket_of(f"session-{number}")) for number in range(20_000))
    # four standard deviations of 20,000 draws of a third
    assert {name: counts[name] / 20_000 for name in GROUPS} == pytest.approx(
        {"formula": 0.33, "llm": 0.33, "hybrid": 0.34}, abs=0.0134
    )


#: How many judgements, with which score, whether it was right, and milliseconds.
Rows = list[tuple[int, float, bool, float]]


def success(formula: Rows, llm: Rows, hybrid: Rows) -> list[str]:
    """Return the state of each criterion (R002-36); 35 of 35 is the fewest beyond 90 %."""
    groups = {}
    for name, measured in zip(GROUPS, (formula, llm, hybrid), strict=True):
        judged = [
            Judged(score, False, 0.0, 0, milliseconds, False, int(right), int(not right))
            for count, score, right, milliseconds in measured
            for _ in range(count)
        ]
        groups[name] = group_view(name, 1, judged, 0.8)
    return [one.state for one in criteria(groups)]


def voted(votes: list[tuple[int, float, bool]], high_is_bad: bool) -> list[Any]:
    """Return what thresholds of 0.5 and 0.7 hold back and let through, and what is proposed."""
    rated = [(value, right) for count, value, right in votes for _ in range(count)]
    found = cuts(rated, [0.7, 0.5], high_is_bad=high_is_bad)
    best = proposed(found)
    return [*([one.held.hits, one.passed.hits] for one in found), best.threshold if best else 0.0]


test_rows = rows(__file__, points=points, bucket=bucket_of, success=success, voted=voted)
