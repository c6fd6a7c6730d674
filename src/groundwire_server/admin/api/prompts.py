"""Versions of the judge's prompt (R002-26)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from groundwire_server.admin.api.common import (
    LARGEST_ID,
    PREFIX,
    Below,
    Body,
    Environment,
    Limit,
    Service,
    Text,
    Who,
    problems,
)
from groundwire_server.admin.service.prompts import PreviewView, PromptView
from groundwire_server.admin.service.view import ChangeView

PROMPT = f"{PREFIX}/prompts/confidence_evaluation_prompt"

PromptId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The `id` of a version.")]


class NewPrompt(Body):
    """A new version."""

    content: Text = Field(
        max_length=20_000,
        description="The text, with the variables {query}, {context} and {response}.",
        examples=["Evaluate the answer.\n\nQuery: {query}\nContext: {context}\nAnswer: {response}"],
    )
    notes: Text = Field(default="", max_length=2_000, examples=["Asks for gaps first."])
    tags: list[Text] = Field(default_factory=list, max_length=20, examples=[["strict"]])
    activate_immediately: bool = Field(default=False, description="Put it in use at once.")


class PromptSample(Body):
    """A text with a sample to fill it with."""

    content: Text = Field(max_length=20_000, examples=["Rate {response} for {query}."])
    query: Text = Field(default="What is the limit?", max_length=100_000)
    context: Text = Field(default="The limit is 10 requests a second.", max_length=100_000)
    response: Text = Field(default="It is 10 requests a second.", max_length=100_000)


router = APIRouter(prefix=PROMPT, tags=["prompts"])


@router.get("", responses=problems())
def list_prompts(admin: Service) -> list[PromptView]:
    """Return all versions, the newest first."""
    return admin.prompts.versions()


@router.get("/active", responses=problems(404))
def active_prompt(admin: Service) -> PromptView:
    """Return the version in use."""
    return admin.prompts.active()


@router.post("", status_code=201, responses=problems(409))
def create_prompt(admin: Service, new: NewPrompt, who: Who) -> PromptView:
    """Add the next version."""
    return admin.prompts.create(
        new.content,
        who=who,
        notes=new.notes,
        tags=new.tags,
        activate=new.activate_immediately,
    )


@router.post("/preview", responses=problems(404))
def preview_prompt(
    admin: Service, sample: PromptSample, environment: Environment = "all"
) -> PreviewView:
    """Return what the judge would be sent for a sample; nothing is kept."""
    config, _ = admin.configuration.calculation(environment)
    return admin.prompts.preview(
        sample.content,
        query=sample.query,
        context=sample.context,
        response=sample.response,
        limits=config.llm_settings,
    )


@router.get("/history", responses=problems())
def prompt_history(admin: Service, limit: Limit = 50, below: Below = None) -> list[ChangeView]:
    """Return who made and activated versions, the newest first."""
    return admin.prompts.history(limit=limit, below=below)


@router.put("/{id}/activate", responses=problems(404, 409))
def activate_prompt(admin: Service, id: PromptId, who: Who) -> PromptView:  # noqa: A002
    """Put a version in use."""
    return admin.prompts.activate(id, who=who)
