"""A confidence as a base and points that add up to it."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.weigh import BASE
from groundwire.judge.applied import JUDGE
from groundwire.model import Match, percent


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
