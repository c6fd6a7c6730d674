"""Trends of the hook's decisions, and how well scores agree with votes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from pydantic import Field

from groundwire.confidence.assessment import rounded
from groundwire.errors import ConfigError
from groundwire.model import BLOCK, KINDS, PASS, REPORT
from groundwire_admin.service.numbers import ShareView, bin_of, percentile, share_view
from groundwire_admin.service.view import View
from groundwire_admin.store import decisions, feedback
from groundwire_admin.store.database import Store
from groundwire_admin.store.decisions import Filter

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


class ReliabilityView(View):
    """How well scores agree with votes.

    ``source`` judgements: the score against "right" votes. ``source`` decisions: the largest
    confidence of a decision against votes that say that the hook was right. ``brier`` is the mean
    squared difference, ``calibration_error`` the mean difference of the bins, both null without
    votes.
    """

    source: Literal["judgements", "decisions"]
    votes: int
    bins: list[BinView]
    brier: float | None
    calibration_error: float | None


class Figures:
    """Figures over what is in the database. Raises StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def trends(
        self,
        since: datetime | None = None,
        until: datetime | None = None,
        agent_type: str | None = None,
    ) -> TrendsView:
        """Return the figures of a window (the last 30 days) by day, kind and agent, and latencies.

        ``agent_type`` "" is the main agent, None every one. Raises ConfigError for an empty window
        or a time without its zone.
        """
        last = _zoned("until", until) or datetime.now(UTC)
        first = _zoned("since", since) or last - _WINDOW
        if first >= last:
            raise ConfigError(f"since: value {first}: allowed: a time before {last}")
        wanted = Filter(agent_type=agent_type, since=first, until=last)
        with self._store.read() as session:
            days = decisions.per_day(session, wanted)
            agents = decisions.per_agent(session, wanted)
            kinds = decisions.per_kind(session, wanted)
            times = decisions.times(session, wanted)
        by_day: dict[str, list[float]] = defaultdict(list)
        for day, milliseconds in times:
            by_day[day].append(milliseconds)
        everything = sorted(milliseconds for _, milliseconds in times)
        return TrendsView(
            since=first,
            until=last,
            turns=len(times),
            per_day=_days(days, (last - timedelta(microseconds=1)).astimezone(UTC).date()),
            per_kind=_kinds(kinds),
            per_agent=_agents(agents),
            latency=[_latency(day, values) for day, values in sorted(by_day.items())],
            overall_latency=_latency("", everything) if everything else None,
        )

    def reliability(self, source: Literal["judgements", "decisions"]) -> ReliabilityView:
        """Return how often what was said with a score was right, by people's votes.

        Of decisions only those that block or report count: there a vote says whether what was
        found is one.
        """
        with self._store.read() as session:
            if source == "judgements":
                votes = feedback.judged(session)
            else:
                votes = [(said / 100, vote) for said, vote in feedback.decided(session)]
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
        )


def _zoned(name: str, moment: datetime | None) -> datetime | None:
    if moment is not None and moment.tzinfo is None:
        raise ConfigError(f"{name}: value {moment}: allowed: a time with its zone")
    return moment


def _days(rows: Sequence[dict[str, Any]], last: date) -> list[DayView]:
    """Return every day from the first one with turns to ``last``: gaps are seen as gaps."""
    if not rows:
        return []
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["day"]][row["decision"]] += row["turns"]
        counts[row["day"]]["errors"] += row["turns"] if row["failed"] else 0
    return [
        DayView(day=day, errors=counts[day]["errors"], **_actions(counts[day]))
        for day in _every_day(min(counts), last)
    ]


def _every_day(first: str, last: date) -> list[str]:
    begin = date.fromisoformat(first)
    return [(begin + timedelta(at)).isoformat() for at in range((last - begin).days + 1)]


def _agents(rows: Sequence[dict[str, Any]]) -> list[AgentView]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["agent_type"]][row["decision"]] += row["turns"]
    order = sorted(counts, key=lambda name: (-counts[name].total(), name))
    return [AgentView(agent_type=name, **_actions(counts[name])) for name in order]


def _kinds(rows: Sequence[dict[str, Any]]) -> list[KindView]:
    matches: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    confidence: Counter[str] = Counter()
    for row in rows:
        matches[row["kind"]] += row["matches"]
        confidence[row["kind"]] += int(row["confidence"])
        stopped[row["kind"]] += row["matches"] if row["decision"] == BLOCK else 0
    order = {kind: number for number, kind in enumerate(KINDS)}
    return [
        KindView(
            kind=kind,
            matches=matches[kind],
            in_blocked=stopped[kind],
            average_confidence=round(confidence[kind] / matches[kind], 1),
        )
        for kind in sorted(matches, key=lambda kind: (order.get(kind, len(order)), kind))
    ]


def _actions(counts: Counter[str]) -> dict[str, int]:
    return {"blocked": counts[BLOCK], "reported": counts[REPORT], "passed": counts[PASS]}


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
