"""Immutable values that API and pages show: shares, percentiles, points.

Times are UTC; scores run from 0 to 1 (high is good), confidences of matches from 0 to 100 (high is
bad); money is US dollars, null where a price is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import ceil, sqrt
from statistics import NormalDist, fmean, variance
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from groundwire.base.model import Match, percent
from groundwire.verdict.assess import BASE
from groundwire_confidence.assessment import Share, rounded
from groundwire_judge.applied import JUDGE


class View(BaseModel):
    """Base of everything that the facade returns."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


Shown = TypeVar("Shown", bound=View)


def viewed(model: type[Shown], row: object, **further: Any) -> Shown:
    """Return a row or a record as a view; ``further`` are fields that it has not, or not so."""
    fields = {name: getattr(row, name) for name in model.model_fields if name not in further}
    return model(**fields, **further)


class ChangeView(View):
    """One change; ``before`` is null for what was new."""

    id: int
    at: datetime
    who: str
    action: str
    kind: str
    target: str
    version: int
    restored: int | None
    before: dict[str, Any] | None
    after: dict[str, Any]


_BINS = 10
_NUDGE = 1e-9  # 0.3 * 10 must not be less than 3


class DistributionView(View):
    """Ten counts of scores, from [0, .1) to [.9, 1], with average and quartiles."""

    counts: list[int]
    mean: float | None
    p25: float | None
    p50: float | None
    p75: float | None


class ShareView(View):
    """A share with its 95 % interval (Wilson); all three null without any case."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


class MeanView(View):
    """An average with its 95 % interval; null for fewer than two values, as is the variance."""

    of: int
    mean: float | None
    low: float | None
    high: float | None
    variance: float | None


def mean_view(values: Sequence[float]) -> MeanView:
    """Return the average of ``values`` with the normal interval of its standard error."""
    if len(values) < 2:
        mean = values[0] if values else None
        return MeanView(of=len(values), mean=mean, low=None, high=None, variance=None)
    mean, spread = fmean(values), variance(values)
    off = NormalDist().inv_cdf(0.975) * sqrt(spread / len(values))
    low, high = rounded(mean - off), rounded(mean + off)
    return MeanView(of=len(values), mean=rounded(mean), low=low, high=high, variance=spread)


def share_view(hits: int, count: int) -> ShareView:
    """Return ``hits`` of ``count`` with the 95 % interval; no share of nothing."""
    if not count:
        return ShareView(count=hits, of=0, share=None, low=None, high=None)
    share = Share(hits, count)
    low, high = share.interval
    return ShareView(count=hits, of=count, share=share.value, low=low, high=high)


def percentile(ascending: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of sorted values; ``share`` is above 0, at most 1."""
    return ascending[max(0, ceil(share * len(ascending) - _NUDGE) - 1)]


def distribution(values: Sequence[float]) -> DistributionView:
    """Return how scores from 0 to 1 are distributed; 1 is in the last of the ten bins."""
    counts = [0] * _BINS
    for value in values:
        counts[bin_of(value, _BINS)] += 1
    ranked = sorted(values)
    known = bool(ranked)
    return DistributionView(
        counts=counts,
        mean=rounded(sum(ranked) / len(ranked)) if known else None,
        p25=percentile(ranked, 0.25) if known else None,
        p50=percentile(ranked, 0.5) if known else None,
        p75=percentile(ranked, 0.75) if known else None,
    )


def bin_of(value: float, bins: int) -> int:
    """Return the bin of a value from 0 to 1, the lower bounds inclusive."""
    return max(0, min(bins - 1, int(value * bins + _NUDGE)))


def added_up(match: Match) -> tuple[int, list[int]]:
    """Return the base, and the points of each factor in order; together they are the confidence.

    The factors add up as logits. Each gets its share of the way from the base to the confidence,
    so that it keeps sign and proportion; the base itself and what the judge adds are apart.
    """
    base = percent(sum(one.weight * one.value for one in match.factors if one.name == BASE))
    apart = {BASE: 0, JUDGE: sum(one.points for one in match.factors if one.name == JUDGE)}
    parts = [0.0 if one.name in apart else one.weight * one.value for one in match.factors]
    way, total = match.confidence - apart[JUDGE] - base, sum(parts)
    scale = way / total if abs(way) and abs(total) > _LEVEL else base * (100 - base) / 100
    points = _whole([part * scale for part in parts], way)
    return base, [
        one.points if one.name == JUDGE else part
        for one, part in zip(match.factors, points, strict=True)
    ]


#: Below this sum of logits, points are those of the curve's slope at the base.
_LEVEL = 0.01


def _whole(values: Sequence[float], total: int) -> list[int]:
    """Return the values rounded so that they sum to ``total``: the largest fractions go up."""
    whole = [int(value // 1) for value in values]
    order = sorted(range(len(values)), key=lambda at: (whole[at] - values[at], at))
    movable = [at for at in order if values[at]]
    short = total - sum(whole)
    for step in range(abs(short)):
        if movable:
            whole[movable[step % len(movable)]] += 1 if short > 0 else -1
    return whole
