"""What the hook decided: lists, one decision with its message, feedback."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import Field

from groundwire.base.model import KINDS
from groundwire_server.admin.api.common import PREFIX, Body, Service, Text, Time, Who, problems
from groundwire_server.admin.service import Filter
from groundwire_server.admin.service.decisions import MOST, DecisionDetail, DecisionPage, IntakeView

DECISIONS = f"{PREFIX}/decisions"

Identity = Annotated[
    str, Path(min_length=1, max_length=64, description="The `id` of a decision in the list.")
]


class DecisionQuery(Body):
    """Which decisions are meant; what is left out leaves everything in."""

    decision: Literal["", "block", "report", "pass"] = Field(
        default="", description="Only turns with this decision."
    )
    kind: Literal["", *KINDS] = Field(  # type: ignore[valid-type]
        default="", description="Only turns with a match of this kind."
    )
    agent_type: str | None = Field(
        default=None, max_length=200, description="Only this agent type; empty: the main agent."
    )
    session: str = Field(default="", max_length=200, description="Only turns of this session.")
    since: Time = None
    until: Time = None
    limit: int = Field(default=50, ge=1, le=MOST, description="How many at most.")
    below: str = Field(
        default="", max_length=64, description="`following` of the page before.", examples=[""]
    )

    def as_filter(self) -> Filter:
        """Return it in the service's words."""
        return Filter(**self.model_dump(exclude={"limit", "below"}))


class Vote(Body):
    """Whether what was said was right."""

    vote: Literal[-1, 0, 1] = Field(
        description="1 right, -1 wrong, 0 takes the vote back.", examples=[1]
    )
    note: Text = Field(default="", max_length=2_000, examples=["the log shows the cause"])


router = APIRouter(prefix=DECISIONS, tags=["decisions"])


@router.get("", responses=problems())
def list_decisions(
    admin: Service, query: Annotated[DecisionQuery, Query()], who: Who
) -> DecisionPage:
    """Return decisions, the newest first; what the hook logged last is taken in before."""
    admin.decisions.take_in()
    wanted = query.as_filter()
    return admin.decisions.page(wanted, limit=query.limit, below=query.below, who=who)


@router.post("/intake", responses=problems())
def take_in(admin: Service) -> IntakeView:
    """Take in what the hook has logged since the last time; the server does so by itself."""
    return admin.decisions.take_in()


@router.get("/{id}", responses=problems(404))
def get_decision(admin: Service, id: Identity, who: Who) -> DecisionDetail:  # noqa: A002
    """Return one decision with its message, which is read from the transcript now."""
    return admin.decisions.detail(id, who=who)


@router.post("/{id}/feedback", status_code=204, responses=problems(404))
def vote_on_decision(admin: Service, id: Identity, vote: Vote, who: Who) -> Response:  # noqa: A002
    """Keep whether the hook was right."""
    admin.decisions.vote(id, vote.vote, who=who, note=vote.note)
    return Response(status_code=204)
