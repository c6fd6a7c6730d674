"""Figures of one A/B group, and what they say about the success criteria (R002-36).

A false positive is a high score for a wrong answer, a false negative a low score for a right one;
people's votes say which answers were right. An answer with as many votes up as down counts as not
rated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import false, func, or_, select
from sqlalchemy.orm import Session

from groundwire_confidence.advisory.formula import ADVISORY_THRESHOLD
from groundwire_confidence.assessment import reaches, rounded
from groundwire_server.admin.service.view import (
    DistributionView,
    ShareView,
    View,
    distribution,
    percentile,
    share_view,
)
from groundwire_server.admin.store.tables import Assignment, Feedback, Judgement

#: An answer that is flagged as advisory only is escalated.
ESCALATE_BELOW = ADVISORY_THRESHOLD
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
    state: State
    measured: str
    why: str


class Judged(NamedTuple):
    """What the A/B report needs of one judgement."""

    score: float
    fell_back: bool
    cost: float | None
    tokens: int
    milliseconds: float
    cached: bool
    up: int
    down: int


def judged_in(
    session: Session,
    group: str,
    since: datetime | None,
    until: datetime,
    periods: Sequence[tuple[datetime, datetime | None]],
) -> list[Judged]:
    """Return the chat judgements of the sessions of a group, from ``since`` until ``until``.

    They are those that the group's method was asked for in the ``periods`` of the test: what was
    scored before it began, or while it was off, does not count.
    """
    ran = [Judgement.at.between(begin, end or until) for begin, end in periods]
    tokens = func.coalesce(Judgement.input_tokens, 0) + func.coalesce(Judgement.output_tokens, 0)
    ups = func.count(Feedback.id).filter(Feedback.vote > 0)
    downs = func.count(Feedback.id).filter(Feedback.vote < 0)
    # an answer of the formula, or one without the judge, in place of what was asked for
    alone = (Judgement.requested_method != "formula") & Judgement.llm_score.is_(None)
    columns = (Judgement.score, alone, Judgement.cost, tokens)
    rest = (Judgement.milliseconds, Judgement.cached, ups, downs)
    query = (
        select(*columns, *rest)
        .join(Assignment, Assignment.session == Judgement.session)
        .outerjoin(Feedback, Feedback.judgement_id == Judgement.id)
        .where(Assignment.group == group, Judgement.requested_method == group)
        .where(Judgement.purpose == "chat", Judgement.at >= Assignment.at, Judgement.at < until)
        .where(or_(false(), *ran))
        .group_by(Judgement.id)
    )
    if since is not None:
        query = query.where(Judgement.at >= since)
    return [Judged(*row) for row in session.execute(query)]


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
        _share_criterion(
            "Hybrid: under 10% false positives",
            "wrong answers among rated ones with a high score",
            groups["hybrid"].false_positive,
            MOST_FALSE_POSITIVES,
            below=True,
        ),
        _share_criterion(
            "LLM: detects at least 90% of semantic issues",
            "low scores among rated answers that were wrong",
            groups["llm"].detection,
            LEAST_DETECTED,
            below=False,
        ),
        _speed(groups["formula"]),
    ]


def _share_criterion(
    name: str, why: str, share: ShareView, bound: float, *, below: bool
) -> CriterionView:
    """Judge a share by a bound that it has to reach, or to stay ``below``."""
    state = _UNKNOWN
    if share.low is not None and share.low >= bound:
        state = _NOT_MET if below else _MET
    elif share.high is not None and share.high < bound:
        state = _MET if below else _NOT_MET
    return CriterionView(name=name, state=state, measured=_shown(share), why=why)


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
