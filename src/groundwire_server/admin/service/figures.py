"""Trends of the hook's decisions, and how well scores agree with votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Literal

from pydantic import Field
from sqlalchemy import ColumnElement, Label, func, select
from sqlalchemy.orm import Session

from groundwire.base.errors import ConfigError
from groundwire.base.model import BLOCK, KINDS, PASS, REPORT
from groundwire_confidence.advisory.formula import ADVISORY_THRESHOLD
from groundwire_confidence.assessment import rounded
from groundwire_confidence.votes import LEAST_VOTES, STEPS, cuts, proposed
from groundwire_server.admin.service.reading import present_settings
from groundwire_server.admin.service.view import ShareView, View, bin_of, percentile, share_view
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.decisions import Filter, conditions
from groundwire_server.admin.store.tables import DecisionMatch, DecisionRow, Feedback, Judgement

BINS = 10
_WINDOW = timedelta(days=30)


class DayView(View):
    """Turns of one day (UTC)."""

    day: str
    blocked: int
    reported: int
    passed: int
    errors: int


class KindView(View):
    """Matches of one kind; ``in_blocked`` stand in turns that were stopped."""

    kind: str
    matches: int
    in_blocked: int
    average_confidence: float


class AgentView(View):
    """Turns of one agent type; empty for the main agent."""

    agent_type: str
    blocked: int
    reported: int
    passed: int


class LatencyView(View):
    """Milliseconds of one day's turns: nearest-rank percentiles."""

    day: str
    turns: int
    p50: float
    p95: float
    p99: float


class TrendsView(View):
    """Figures of the hook's decisions in a window."""

    since: datetime
    until: datetime
    turns: int
    per_day: list[DayView] = Field(description="Every day from the first one with turns on.")
    per_kind: list[KindView]
    per_agent: list[AgentView]
    latency: list[LatencyView]
    overall_latency: LatencyView | None


class BinView(View):
    """One bin of a reliability table: what was said, and how often it was right."""

    low: float
    high: float
    said: float | None = Field(description="Average of what was said, 0 to 1.")
    right: ShareView


class ThresholdView(View):
    """What a threshold does to rated answers: right ones held back, wrong ones let through."""

    threshold: float
    held: ShareView = Field(description="Of all right answers.")
    passed: ShareView = Field(description="Of all wrong answers.")


class ReliabilityView(View):
    """How well scores agree with votes.

    ``source`` judgements: the score against "right" votes. ``source`` decisions: the largest
    confidence of a decision against votes that say that the hook was right. ``brier`` is the mean
    squared difference, ``calibration_error`` the mean difference of the bins, both null without
    votes. ``thresholds`` are what each one would do, ``present`` among them; ``proposed`` is the
    one with the fewest errors of both sorts, null with fewer than ``least_votes`` votes.
    """

    source: Literal["judgements", "decisions"]
    votes: int
    bins: list[BinView]
    brier: float | None
    calibration_error: float | None
    thresholds: list[ThresholdView]
    present: float
    proposed: float | None
    least_votes: int = LEAST_VOTES


class Figures:
    """Figures over what is in the database. Raises StoreError."""

    def __init__(self, store: Store, env: Mapping[str, str]) -> None:
        self._store, self._env = store, env

    def trends(
        self,
        since: datetime | None = None,
        until: datetime | None = None,
        agent_type: str | None = None,
    ) -> TrendsView:
        """Return the figures of a window (the last 30 days) by day, kind and agent, and latencies.

        ``agent_type`` "" is the main agent, None every one. Raises ConfigError for an empty window.
        """
        last = until or datetime.now(UTC)
        first = since or last - _WINDOW
        if first >= last:
            raise ConfigError(f"since: value {first}: allowed: a time before {last}")
        meant = conditions(Filter(agent_type=agent_type, since=first, until=last))
        with self._store.read() as session:
            times = session.execute(
                select(DecisionRow.day, DecisionRow.milliseconds)
                .where(*meant)
                .order_by(DecisionRow.day, DecisionRow.milliseconds)
            ).all()
            by_day = {day: [one[1] for one in of] for day, of in groupby(times, itemgetter(0))}
            everything = sorted(milliseconds for _, milliseconds in times)
            return TrendsView(
                since=first,
                until=last,
                turns=len(times),
                per_day=_per_day(session, meant, last),
                per_kind=_per_kind(session, meant),
                per_agent=_per_agent(session, meant),
                latency=[_latency(day, values) for day, values in by_day.items()],
                overall_latency=_latency("", everything) if everything else None,
            )

    def reliability(self, source: Literal["judgements", "decisions"]) -> ReliabilityView:
        """Return how often what was said with a score was right, by people's votes.

        So for each threshold how many right answers it would hold back, and how many wrong ones
        it would let through. Of decisions only those that block or report count: there a vote says
        whether what was found is one.
        """
        with self._store.read() as session:
            votes = _judged(session) if source == "judgements" else _decided(session)
        is_decision = source == "decisions"  # a vote is on the finding, and the answer is wrong
        rated = [(said, (vote > 0) != is_decision) for said, vote in votes]
        block = min(present_settings(self._env).thresholds.stop_from, 100) / 100
        present = block if is_decision else ADVISORY_THRESHOLD
        found = cuts(rated, {*STEPS, present}, high_is_bad=is_decision)
        best = proposed(found)
        bins: list[list[tuple[float, int]]] = [[] for _ in range(BINS)]
        for said, vote in votes:
            bins[bin_of(said, BINS)].append((said, int(vote > 0)))
        pairs = [pair for one in bins for pair in one]
        return ReliabilityView(
            source=source,
            votes=len(pairs),
            bins=[_bin(number, one) for number, one in enumerate(bins)],
            brier=_mean([(said - right) ** 2 for said, right in pairs]),
            calibration_error=_calibration_error(bins, len(pairs)),
            thresholds=[
                ThresholdView(
                    threshold=one.threshold,
                    held=share_view(one.held.hits, one.held.count),
                    passed=share_view(one.passed.hits, one.passed.count),
                )
                for one in found
            ],
            present=present,
            proposed=best.threshold if best else None,
        )


Conditions = Sequence[ColumnElement[bool]]


def _turns(condition: ColumnElement[bool], name: str) -> Label[int]:
    return func.count().filter(condition).label(name)


_ACTIONS = (
    _turns(DecisionRow.decision == BLOCK, "blocked"),
    _turns(DecisionRow.decision == REPORT, "reported"),
    _turns(DecisionRow.decision == PASS, "passed"),
)


def _per_day(session: Session, meant: Conditions, last: datetime) -> list[DayView]:
    """Return every day from the first one with turns to the last: gaps are seen as gaps."""
    errors = _turns(DecisionRow.error != "", "errors")
    query = select(DecisionRow.day, *_ACTIONS, errors).where(*meant).group_by(DecisionRow.day)
    by_day = {row.day: DayView.model_validate(row) for row in session.execute(query)}
    if not by_day:
        return []
    first = date.fromisoformat(min(by_day))
    end = (last - timedelta(microseconds=1)).astimezone(UTC).date()
    days = [(first + timedelta(at)).isoformat() for at in range((end - first).days + 1)]
    nothing = {"blocked": 0, "reported": 0, "passed": 0, "errors": 0}
    return [by_day.get(day) or DayView(day=day, **nothing) for day in days]


def _per_agent(session: Session, meant: Conditions) -> list[AgentView]:
    agent = DecisionRow.agent_type
    query = select(agent, *_ACTIONS).where(*meant).group_by(agent)
    query = query.order_by(func.count().desc(), agent)
    return [AgentView.model_validate(row) for row in session.execute(query)]


def _per_kind(session: Session, meant: Conditions) -> list[KindView]:
    columns = (
        DecisionMatch.kind,
        func.count().label("matches"),
        _turns(DecisionRow.decision == BLOCK, "in_blocked"),
        func.round(func.avg(DecisionMatch.confidence), 1).label("average_confidence"),
    )
    query = select(*columns).join(DecisionRow, DecisionRow.id == DecisionMatch.decision_id)
    query = query.where(*meant).group_by(DecisionMatch.kind)
    views = [KindView.model_validate(row) for row in session.execute(query)]
    order = {kind: number for number, kind in enumerate(KINDS)}
    return sorted(views, key=lambda one: (order.get(one.kind, len(order)), one.kind))


def _judged(session: Session) -> list[tuple[float, int]]:
    """Return score and vote of every vote on a judgement."""
    query = select(Judgement.score, Feedback.vote).join(
        Feedback, Feedback.judgement_id == Judgement.id
    )
    return [(score, vote) for score, vote in session.execute(query)]


def _decided(session: Session) -> list[tuple[float, int]]:
    """Return the largest confidence, from 0 to 1, and the vote of every vote on what was found.

    A decision that let the turn pass is left out: a vote for it says that there was nothing.
    """
    query = (
        select(func.max(DecisionMatch.confidence), Feedback.vote)
        .join(DecisionMatch, DecisionMatch.decision_id == Feedback.decision_id)
        .join(DecisionRow, DecisionRow.id == Feedback.decision_id)
        .where(DecisionRow.decision != PASS)
        .group_by(Feedback.id)
    )
    return [(confidence / 100, vote) for confidence, vote in session.execute(query)]


def _latency(day: str, ascending: Sequence[float]) -> LatencyView:
    return LatencyView(
        day=day,
        turns=len(ascending),
        p50=percentile(ascending, 0.5),
        p95=percentile(ascending, 0.95),
        p99=percentile(ascending, 0.99),
    )


def _bin(number: int, pairs: Sequence[tuple[float, int]]) -> BinView:
    return BinView(
        low=number / BINS,
        high=(number + 1) / BINS,
        said=_mean([said for said, _ in pairs]),
        right=share_view(sum(right for _, right in pairs), len(pairs)),
    )


def _calibration_error(bins: Sequence[Sequence[tuple[float, int]]], count: int) -> float | None:
    """Return the mean distance between what was said and what was right, weighed by the bins."""
    if not count:
        return None
    distances = [abs(sum(said - right for said, right in one)) for one in bins]
    return rounded(sum(distances) / count)


def _mean(values: Sequence[float]) -> float | None:
    return rounded(sum(values) / len(values)) if values else None
