"""The methods on the same answers: shadow scores in pairs, and what the selective one left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from groundwire.settings.choices import METHODS
from groundwire_confidence.assessment import reaches, rounded
from groundwire_confidence.formula import SELECTIVE
from groundwire_judge.methods import GREY, SAMPLE
from groundwire_server.admin.service.view import MeanView, ShareView, View, mean_view, share_view
from groundwire_server.admin.store.tables import Feedback, Judgement

#: Key of a breakdown under which the scores of all methods stand.
SHADOW = "shadow"
#: The groups of the A/B test, of which each pair of methods uses two.
_GROUPS = 3


class ShadowView(View):
    """One method on the answers that all methods scored.

    ``wrong`` are rated answers with a high score that were wrong, or a low one that were right;
    ``squared_error`` is (score - right)^2 over them. ``scores_off`` and ``error_off`` are the
    paired differences from the formula. ``votes_of_groups`` is how many votes separate groups
    would need for an ``error_off`` with the same interval.
    """

    method: str
    answers: int
    score: MeanView
    escalation: ShareView
    wrong: ShareView
    squared_error: MeanView
    scores_off: MeanView | None
    error_off: MeanView | None
    votes_of_groups: int | None


class SelectiveView(View):
    """What the selective method asked the judge, and what it did not."""

    answers: int
    grey: int = Field(description="In the grey zone: the judge decides.")
    sampled: int = Field(description="Beside it, judged to be compared.")
    unanswered: int = Field(description="Asked for without an answer, or beyond the budget.")
    cost: float | None
    saved: float | None = Field(description="Dollars that the answers beside would have cost.")
    missed: ShareView = Field(description="Sampled answers whose verdict the judge would change.")


class Scored(NamedTuple):
    """A chat's score with its breakdown; ``votes`` is the sum of the votes, right ones positive."""

    method: str
    breakdown: Mapping[str, Any]
    cost: float | None
    votes: int


def scored_in(session: Session, since: datetime | None, until: datetime) -> list[Scored]:
    """Return the chats of a window that can be compared."""
    votes = func.coalesce(func.sum(Feedback.vote), 0)
    columns = (Judgement.requested_method, Judgement.breakdown, Judgement.cost, votes)
    comparable = (Judgement.requested_method == SELECTIVE, Judgement.llm_score.is_not(None))
    query = (
        select(*columns)
        .outerjoin(Feedback, Feedback.judgement_id == Judgement.id)
        .where(Judgement.purpose == "chat", Judgement.at < until, or_(*comparable))
        .group_by(Judgement.id)
    )
    if since is not None:
        query = query.where(Judgement.at >= since)
    return [Scored(*row) for row in session.execute(query)]


def shadow_cost(rows: Sequence[Scored]) -> float | None:
    """Return the dollars of judgements that only the comparison asked for; None: not all known."""
    costs = [row.breakdown[SHADOW].get("cost", 0.0) for row in rows if SHADOW in row.breakdown]
    return None if None in costs else rounded(sum(costs))


def shadow_views(rows: Sequence[Scored], threshold: float) -> list[ShadowView]:
    """Return each method on the answers that have the scores of all; [] without any."""
    shadows = [(row.breakdown[SHADOW], row.votes) for row in rows if SHADOW in row.breakdown]
    scores = {name: [shadow[name] for shadow, _ in shadows] for name in METHODS}
    rated = [(shadow, float(votes > 0)) for shadow, votes in shadows if votes]
    errors = {name: [(one[name] - right) ** 2 for one, right in rated] for name in METHODS}
    first = METHODS[0]
    views = []
    for name in METHODS if shadows else ():
        low = [not reaches(score, threshold) for score in scores[name]]
        wrong = sum(reaches(one[name], threshold) != bool(right) for one, right in rated)
        other = name != first
        error_off = _off(errors[name], errors[first]) if other else None
        views.append(
            ShadowView(
                method=name,
                answers=len(shadows),
                score=mean_view(scores[name]),
                escalation=share_view(sum(low), len(low)),
                wrong=share_view(wrong, len(rated)),
                squared_error=mean_view(errors[name]),
                scores_off=_off(scores[name], scores[first]) if other else None,
                error_off=error_off,
                votes_of_groups=_votes_of_groups(errors[name], errors[first]) if other else None,
            )
        )
    return views


def selective_view(rows: Sequence[Scored], threshold: float) -> SelectiveView | None:
    """Return what the selective method asked; None where it scored nothing."""
    own = [row for row in rows if row.method == SELECTIVE]
    if not own:
        return None
    asked = [row for row in own if row.breakdown.get("asked")]
    answered = [row for row in asked if row.breakdown.get("llm_score") is not None]
    sampled = [row.breakdown for row in answered if row.breakdown["asked"] == SAMPLE]
    changed = sum(
        reaches(one["llm_score"], threshold) != reaches(one["formula_score"], threshold)
        for one in sampled
    )
    costs = [row.cost for row in answered if row.cost]
    cost = rounded(sum(costs)) if costs or not answered else None
    return SelectiveView(
        answers=len(own),
        grey=sum(row.breakdown["asked"] == GREY for row in answered),
        sampled=len(sampled),
        unanswered=len(asked) - len(answered),
        cost=cost,
        saved=rounded(sum(costs) / len(costs) * (len(own) - len(asked))) if costs else None,
        missed=share_view(changed, len(sampled)),
    )


def _off(values: Sequence[float], others: Sequence[float]) -> MeanView:
    return mean_view([one - two for one, two in zip(values, others, strict=True)])


def _votes_of_groups(values: Sequence[float], others: Sequence[float]) -> int | None:
    """Return how many votes in groups give the interval that these give in pairs.

    In pairs the squared standard error is var(a - b) / n, in groups (var(a) + var(b)) / (N / 3).
    """
    paired = _off(values, others).variance
    apart = [mean_view(values).variance, mean_view(others).variance]
    if not paired or None in apart:
        return None
    return round(_GROUPS * len(values) * sum(one or 0.0 for one in apart) / paired)
