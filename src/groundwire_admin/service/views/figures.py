"""Trends, shares and reliability."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from groundwire_admin.service.views.view import View


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
    per_day: list[DayView]
    per_kind: list[KindView]
    per_agent: list[AgentView]
    latency: list[LatencyView]
    overall_latency: LatencyView | None


class ShareView(View):
    """A share with its 95 % interval (Wilson); all three null without any case."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


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
