"""Shares with intervals, percentiles and distributions of measured numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from groundwire.confidence.assessment import rounded
from groundwire.confidence.share import Share
from groundwire_admin.service.view import View

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
