"""Errors as ``application/problem+json`` (RFC 9457), without internals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

MEDIA_TYPE = "application/problem+json"


class FieldError(BaseModel):
    """One value that cannot be taken."""

    file: str = Field(description="Where the value stands: body, query, path, or a file's name.")
    key: str = Field(description="The dotted key of the value.")
    value: Any = Field(default=None, description="What was given.")
    allowed: str = Field(description="What is allowed there.")


class Problem(BaseModel):
    """An error of the API."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Not Found",
                "status": 404,
                "detail": "there is no prompt 17",
            }
        }
    )
    type: str = Field(
        default="about:blank", description="Always about:blank: the status says the kind."
    )
    title: str = Field(description="The status in words.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What went wrong, for a person.")
    errors: list[FieldError] | None = Field(
        default=None, description="Each value that was refused."
    )


def problem(
    status: int,
    detail: str,
    *,
    errors: Sequence[FieldError] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return the response of an error."""
    body = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        errors=list(errors) or None,
    )
    content = body.model_dump(mode="json", exclude_none=True)
    if errors:  # what was given may be null
        content["errors"] = [one.model_dump(mode="json") for one in errors]
    return JSONResponse(content, status, dict(headers or {}), MEDIA_TYPE)
