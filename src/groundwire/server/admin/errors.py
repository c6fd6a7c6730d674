"""Exceptions of the application as problems, unknown paths and methods among them."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from groundwire.server.admin.problems import FieldError, problem

_LONGEST_VALUE = 200


def add_error_handlers(app: FastAPI) -> None:
    """Turn what the framework raises into problems."""

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        path, detail = request.scope["path"][:80], str(error.detail)
        if error.status_code == 405:
            detail = f"{path} takes {(error.headers or {}).get('Allow', 'another method')}"
        elif error.status_code == 404 and detail == "Not Found":
            detail = f"there is no {path}"
        return problem(error.status_code, detail, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        errors = [field_error(detail) for detail in error.errors()]
        keys = ", ".join(found.key or found.file for found in errors)
        return problem(422, f"refused: {keys}", errors=errors)


def field_error(detail: dict[str, object]) -> FieldError:
    """Return one of pydantic's errors in our words."""
    place, *path = [str(part) for part in detail["loc"]]  # type: ignore[attr-defined]
    value = detail.get("input")
    if not isinstance(value, bool | int | float | None):
        text = value if isinstance(value, str) else repr(value)
        value = text[:_LONGEST_VALUE]
    return FieldError(
        file=place, key=".".join(path), value=value, allowed=str(detail["msg"])[:_LONGEST_VALUE]
    )
