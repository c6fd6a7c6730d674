"""The confidence of an answer: to try a configuration (R002-24), and of a chat (R002-27)."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field

from groundwire.settings.choices import KEY
from groundwire_server.admin.api.common import (
    LARGEST_ID,
    PREFIX,
    Below,
    Body,
    Document,
    Limit,
    MaybeEnvironment,
    Name,
    Profile,
    Service,
    Text,
    Who,
    problems,
)
from groundwire_server.admin.api.decisions import Vote
from groundwire_server.admin.service import Answer
from groundwire_server.admin.service.scored import JudgementView, ScoredView, SpentView

_LONGEST = 1_000_000
_PART: dict[str, Any] = {
    "properties": {KEY: {"$ref": "#/components/schemas/ConfidenceCalculationConfig"}},
    "additionalProperties": False,
}


def _known(changes: dict[str, Any]) -> dict[str, Any]:
    if changes.keys() - {KEY} or not isinstance(changes.get(KEY, {}), dict):
        raise ValueError(f"an object with the one key {KEY}, itself an object")
    return changes


class ContextDocument(BaseModel):
    """A document that the answer was made from; further keys are ignored."""

    model_config = ConfigDict(extra="allow")
    similarity: float = Field(
        default=0.0,
        ge=-1e6,
        le=1e6,
        allow_inf_nan=False,
        description="How near it is to the query; 0 to 1.",
    )
    content: Text | None = Field(default=None, description="Its text, which the judge is shown.")


_Documents = Annotated[
    list[ContextDocument],
    Field(
        max_length=1_000,
        description="The documents that the response was made from.",
        examples=[[{"similarity": 0.95, "content": "The limit is 10 requests a second."}]],
    ),
]
JudgementId = Annotated[
    int, Path(ge=1, le=LARGEST_ID, description="The `judgement_id` of a scored answer.")
]
_Response = Annotated[
    Text, Field(max_length=_LONGEST, examples=["The limit is 10 requests a second."])
]


class Scored(Body):
    """An answer to score, and by which configuration."""

    message: Text = Field(
        max_length=_LONGEST,
        validation_alias=AliasChoices("message", "query"),
        description="What was asked; `query` is taken as well.",
        examples=["What is the limit?"],
    )
    response: _Response | None = Field(
        default=None, description="What was answered; left out, a fixed sentence is scored."
    )
    context_docs: _Documents = Field(default_factory=list)
    context_text: Text = Field(
        default="", max_length=_LONGEST, description="In place of the documents' contents."
    )
    session_id: Text = Field(
        default="", max_length=200, description="Whose answer it is.", examples=["session-1"]
    )
    environment: Name = Field(
        default="all",
        description="Whose configuration; left out, that of GROUNDWIRE_ENVIRONMENT holds.",
    )
    profile: Name | Literal[""] = Field(
        default="", description="A profile of the environment; empty: the active."
    )

    @property
    def answer(self) -> Answer:
        """Return it in the service's words."""
        docs = [document.model_dump(exclude_none=True) for document in self.context_docs]
        given = {} if self.response is None else {"response": self.response}
        return Answer(self.message, context_docs=docs, context_text=self.context_text, **given)


class Sample(Scored):
    """A sample to score, and changes of the configuration that are not saved."""

    config: Annotated[Document, AfterValidator(_known)] = Field(
        default_factory=dict,
        description="Unsaved changes, as in PUT agent-config.",
        json_schema_extra=_PART,
        examples=[{KEY: {"method": "formula"}}],
    )
    prompt: Text = Field(
        default="", max_length=20_000, description="A text in place of the prompt in use."
    )


class Judgements(BaseModel):
    """Calculated confidences, the newest first."""

    judgements: list[JudgementView]


class Spent(BaseModel):
    """What all judgements took."""

    spent: list[SpentView]


router = APIRouter(tags=["confidence"])


@router.post(f"{PREFIX}/agent-config/test", responses=problems(404))
async def try_agent_config(
    admin: Service, sample: Sample, environment: MaybeEnvironment = "", profile: Profile = ""
) -> ScoredView:
    """Score a sample by the configuration of an environment, with unsaved changes in it.

    Environment and profile in the body go before those of the query.
    """
    given = sample.model_fields_set
    return await admin.samples.try_out(
        sample.answer,
        changes=sample.config.get(KEY),
        environment=sample.environment if "environment" in given else environment,
        profile=sample.profile if "profile" in given else profile,
        prompt=sample.prompt,
        session_id=sample.session_id,
    )


@router.post("/api/v1/chat", responses=problems(404))
async def chat(admin: Service, turn: Scored) -> ScoredView:
    """Score the response of a chat by its environment's configuration; no model is behind it.

    While the A/B test runs, the method is that of the session's group. A turn without a session
    is one of its own.
    """
    session = turn.session_id or uuid4().hex
    return await admin.samples.chat(
        turn.answer,
        session,
        environment=turn.environment if "environment" in turn.model_fields_set else "",
        profile=turn.profile,
    )


@router.get(f"{PREFIX}/judgements", responses=problems())
def list_judgements(
    admin: Service,
    who: Who,
    limit: Limit = 50,
    below: Below = None,
    purpose: Annotated[
        Literal["", "chat", "sample"], Query(description="Only those of a chat, or tried out.")
    ] = "",
) -> Judgements:
    """Return calculated confidences, the newest first, with tokens, cost and vote."""
    views = admin.samples.recent(limit=limit, below=below, purpose=purpose, who=who)
    return Judgements(judgements=views)


@router.get(f"{PREFIX}/judgements/spent", responses=problems())
def judgements_spent(admin: Service) -> Spent:
    """Return tokens and dollars of all judgements, by method, provider and model."""
    return Spent(spent=admin.samples.spent())


@router.post(f"{PREFIX}/judgements/{{id}}/feedback", status_code=204, responses=problems(404))
def vote_on_judgement(
    admin: Service,
    id: JudgementId,  # noqa: A002
    vote: Vote,
    who: Who,
) -> Response:
    """Keep whether the answer behind a confidence was right."""
    admin.samples.vote(id, vote.vote, who=who, note=vote.note)
    return Response(status_code=204)
