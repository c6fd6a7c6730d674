"""Figures of one A/B group, and what they say about the success criteria (R002-36).

A false positive is a high score for a wrong answer, a false negative a low score for a right one;
people's votes say which answers were right. An answer with as many votes up as down counts as not
rated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from groundwire.confidence.assessment import reaches, rounded
from groundwire.confidence.formula.formula import BANDS
from groundwire_admin.service.numbers import (
    DistributionView,
    ShareView,
    distribution,
    percentile,
    share_view,
)
from groundwire_admin.service.view import View
from groundwire_admin.store.judgements import Judged

#: R002-17: below the band "confident" the judge's prompt recommends escalation.
ESCALATE_BELOW = dict(BANDS.rows)["CONFIDENT"]
#: R002-36.
MOST_FALSE_POSITIVES = 0.10
LEAST_DETECTED = 0.90
SLOWEST_FORMULA = 100.0  # milliseconds
#: Fewer measurements have no 95th percentile of their own by nearest rank.
LEAST_TIMES = 20

State = Literal["met", "not met", "not enough data"]
_MET: State = "met"
_NOT_MET: State = "not met"
_NOTHING = "no data yet"
_UNKNOWN: State = "not enough data"


class GroupView(View):
    """One A/B group: the judgements of the sessions that were put in it.

    ``fell_back`` counts answers of the formula in place of the judge. Times, tokens and cost are
    those of answers that did not come from the cache, which costs nothing and takes no time. Rates
    of errors are over judgements with a vote: false_positive among those with a high score (wrong),
    false_negative among those with a low one (right), detection among the wrong ones (low score).
    """

    method: str
    sessions: int
    judgements: int
    fell_back: int
    cached: int
    scores: DistributionView
    escalation: ShareView
    thumbs_up: int
    thumbs_down: int
    false_positive: ShareView
    false_negative: ShareView
    detection: ShareView
    milliseconds_p50: float | None
    milliseconds_p95: float | None
    tokens: int
    cost: float | None
    cost_per_judgement: float | None


class CriterionView(View):
    """One success criterion of the A/B plan (R002-36)."""

    name: str
    state: Literal["met", "not met", "not enough data"]
    measured: str
    why: str


def group_view(method: str, sessions: int, rows: Sequence[Judged], threshold: float) -> GroupView:
    """Return the figures of one group; ``sessions`` were ever put in it."""
    low = [not reaches(row.score, threshold) for row in rows]
    # (low, right) of every answer that people rated
    rated = [
        (is_low, row.up > row.down)
        for is_low, row in zip(low, rows, strict=True)
        if row.up != row.down
    ]
    high_wrong = sum(not is_low and not right for is_low, right in rated)
    low_right = sum(is_low and right for is_low, right in rated)
    low_wrong = sum(is_low and not right for is_low, right in rated)
    lows = sum(is_low for is_low, _ in rated)
    fresh = [row for row in rows if not row.cached]
    times = sorted(row.milliseconds for row in fresh)
    cost = _total([row.cost for row in fresh])
    return GroupView(
        method=method,
        sessions=sessions,
        judgements=len(rows),
        fell_back=sum(row.fell_back for row in rows),
        cached=sum(row.cached for row in rows),
        scores=distribution([row.score for row in rows]),
        escalation=share_view(sum(low), len(rows)),
        thumbs_up=sum(row.up for row in rows),
        thumbs_down=sum(row.down for row in rows),
        false_positive=share_view(high_wrong, len(rated) - lows),
        false_negative=share_view(low_right, lows),
        detection=share_view(low_wrong, high_wrong + low_wrong),
        milliseconds_p50=percentile(times, 0.5) if times else None,
        milliseconds_p95=percentile(times, 0.95) if times else None,
        tokens=sum(row.tokens for row in fresh),
        cost=cost,
        cost_per_judgement=rounded(cost / len(fresh)) if fresh and cost is not None else None,
    )


def criteria(groups: Mapping[str, GroupView]) -> list[CriterionView]:
    """Return the three success criteria.

    A share meets its bound, or does not, only when the whole 95 % interval lies on that side.
    """
    return [
        _false_positives(groups["hybrid"].false_positive),
        _detection(groups["llm"].detection),
        _speed(groups["formula"]),
    ]


def _false_positives(share: ShareView) -> CriterionView:
    state = _UNKNOWN
    if share.high is not None and share.high < MOST_FALSE_POSITIVES:
        state = _MET
    elif share.low is not None and share.low >= MOST_FALSE_POSITIVES:
        state = _NOT_MET
    return CriterionView(
        name="Hybrid: under 10% false positives",
        state=state,
        measured=_shown(share),
        why="wrong answers among rated ones with a high score",
    )


def _detection(share: ShareView) -> CriterionView:
    state = _UNKNOWN
    if share.low is not None and share.low >= LEAST_DETECTED:
        state = _MET
    elif share.high is not None and share.high < LEAST_DETECTED:
        state = _NOT_MET
    return CriterionView(
        name="LLM: detects at least 90% of semantic issues",
        state=state,
        measured=_shown(share),
        why="low scores among rated answers that were wrong",
    )


def _speed(group: GroupView) -> CriterionView:
    slowest, state = group.milliseconds_p95, _UNKNOWN
    measured_times = group.judgements - group.cached
    if slowest is not None and measured_times >= LEAST_TIMES:
        state = _MET if slowest < SLOWEST_FORMULA else _NOT_MET
    measured = _NOTHING if slowest is None else f"{slowest:.3g} ms over {measured_times} answers"
    return CriterionView(
        name="Formula: under 100 ms",
        state=state,
        measured=measured,
        why=f"95th percentile, from {LEAST_TIMES} answers on",
    )


def _shown(share: ShareView) -> str:
    if share.share is None or share.low is None or share.high is None:
        return _NOTHING
    interval = f"{share.low:.1%} to {share.high:.1%}"
    return f"{share.count} of {share.of}, {share.share:.1%} ({interval})"


def _total(costs: Sequence[float | None]) -> float | None:
    """Return the sum; None when one of them is not known."""
    known = [cost for cost in costs if cost is not None]
    return rounded(sum(known)) if len(known) == len(costs) else None
