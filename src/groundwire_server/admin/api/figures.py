"""Trends, reliability, and the A/B report (R002-36)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire_server.admin.api.common import (
    PREFIX,
    Body,
    IfMatch,
    Service,
    Tagged,
    Time,
    Version,
    Who,
    problems,
    wanted_version,
)
from groundwire_server.admin.service.experiment import ExperimentView, SharesView
from groundwire_server.admin.service.experiment_report import ESCALATE_BELOW
from groundwire_server.admin.service.figures import ReliabilityView, TrendsView

REPORT = f"{PREFIX}/ab-report"

_Time = Annotated[Time, Query()]
_Percent = Annotated[int, Field(ge=0, le=100, description="Percent of sessions.")]


class SharesChange(Body):
    """Whether the A/B test runs, and the percent of each group; together 100."""

    running: bool = Field(examples=[True])
    formula: _Percent = 33
    llm: _Percent = 33
    hybrid: _Percent = 34
    shadow: _Percent = Field(default=0, description="Percent of answers that all methods score.")
    version: Version = None


router = APIRouter(default_response_class=Tagged, tags=["figures"])


@router.get(f"{PREFIX}/trends", responses=problems())
def trends(
    admin: Service,
    since: _Time = None,
    until: _Time = None,
    agent_type: Annotated[
        str | None, Query(max_length=200, description="One agent type; empty: the main agent.")
    ] = None,
) -> TrendsView:
    """Return turns per day, kind and agent and their latencies; 30 days without a window."""
    admin.decisions.take_in()
    return admin.figures.trends(since, until, agent_type)


@router.get(f"{PREFIX}/reliability", responses=problems())
def reliability(
    admin: Service,
    source: Annotated[
        Literal["judgements", "decisions"], Query(description="Whose scores.")
    ] = "judgements",
) -> ReliabilityView:
    """Return how often what was said with a score was right, by people's votes."""
    return admin.figures.reliability(source)


@router.get(REPORT, responses=problems())
def ab_report(
    admin: Service,
    since: _Time = None,
    until: _Time = None,
    threshold: Annotated[
        float, Query(ge=0, le=1, description="Scores below it count as low and are escalated.")
    ] = ESCALATE_BELOW,
) -> ExperimentView:
    """Return the figures of each A/B group, and the success criteria."""
    return admin.experiment.report(since, until, threshold)


@router.get(f"{REPORT}/shares", responses=problems())
def get_shares(admin: Service) -> SharesView:
    """Return whether the A/B test runs and how sessions are shared out."""
    return admin.experiment.shares()


@router.put(f"{REPORT}/shares", responses=problems(409))
def put_shares(admin: Service, change: SharesChange, who: Who, tag: IfMatch) -> SharesView:
    """Start or stop the A/B test; a session that has a group keeps it."""
    return admin.experiment.save_shares(
        running=change.running,
        formula=change.formula,
        llm=change.llm,
        hybrid=change.hybrid,
        shadow=change.shadow,
        who=who,
        version=wanted_version(tag, change.version),
    )
