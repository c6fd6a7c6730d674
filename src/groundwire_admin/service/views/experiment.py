"""The A/B test."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from groundwire_admin.service.views.figures import ShareView
from groundwire_admin.service.views.view import View


class SharesView(View):
    """The A/B test: whether it runs, and the percent of sessions in each group.

    ``version`` is what a change has to name.
    """

    running: bool
    formula: int
    llm: int
    hybrid: int
    version: int


class DistributionView(View):
    """Ten counts of scores, from [0, .1) to [.9, 1], with average and quartiles."""

    counts: list[int]
    mean: float | None
    p25: float | None
    p50: float | None
    p75: float | None


class GroupView(View):
    """One A/B group: the judgements of the sessions that were put in it.

    ``fell_back`` counts answers of the formula in place of the judge. Rates of errors are over
    judgements with a vote: false_positive among those with a high score (wrong), false_negative
    among those with a low one (right), detection among the wrong ones (low score).
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


class ExperimentView(View):
    """The A/B report of a window."""

    since: datetime | None
    until: datetime
    threshold: float = Field(description="Scores below it are low, and escalated.")
    shares: SharesView
    groups: list[GroupView]
    criteria: list[CriterionView]
