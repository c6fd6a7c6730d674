"""Exceptions of the application as problems, unknown paths and methods among them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from groundwire.errors import (
    ConfigError,
    ConflictError,
    GroundwireError,
    NotFoundError,
    StoreError,
)
from groundwire_admin.api.common import is_finite
from groundwire_admin.web.problems import FieldError, problem

LOGGER = logging.getLogger("groundwire.admin")
_LONGEST_VALUE = 200
_ALLOWED = ": allowed: "


def add_error_handlers(app: FastAPI) -> None:
    """Turn what the framework and the service raise into problems."""
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ConfigError, _refused)
    app.add_exception_handler(NotFoundError, _with_status(404))
    app.add_exception_handler(ConflictError, _with_status(409))
    app.add_exception_handler(StoreError, _unusable)
    app.add_exception_handler(GroundwireError, _with_status(422))


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    path, detail = request.scope["path"][:80], str(error.detail)
    if error.status_code == 405:
        detail = f"{path} takes {(error.headers or {}).get('Allow', 'another method')}"
    elif error.status_code == 404 and detail == "Not Found":
        detail = f"there is no {path}"
    return problem(error.status_code, detail, headers=error.headers)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [field_error(detail) for detail in error.errors()]
    keys = ", ".join(found.key or found.file for found in errors)
    return problem(422, f"not allowed: {keys}", errors=errors)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    errors = [line_error(line) for line in str(error).splitlines()]
    keys = ", ".join(found.key or found.file for found in errors)
    return problem(422, f"not allowed: {keys}", errors=errors)


async def _unusable(_: Request, error: Exception) -> JSONResponse:
    LOGGER.error("store", extra={"problem": str(error)})
    return problem(503, "the database or a settings file cannot be used; the log says why")


def _with_status(status: int) -> Callable[[Request, Exception], Any]:
    async def answer(_: Request, error: Exception) -> JSONResponse:
        return problem(status, shown(str(error)))

    return answer


def field_error(detail: dict[str, Any]) -> FieldError:
    """Return one of pydantic's errors in our words."""
    place, *path = [str(part) for part in detail["loc"]]
    value = detail.get("input")
    if not isinstance(value, bool | int | float | None) or not is_finite(value):
        value = shown(value if isinstance(value, str) else repr(value))
    key = shown(".".join(path))
    return FieldError(file=place, key=key, value=value, allowed=shown(str(detail["msg"])))


def line_error(line: str) -> FieldError:
    """Return one line of a ConfigError, ``file: key: value ...: allowed: ...``, as its parts."""
    place, _, allowed = line.partition(_ALLOWED)
    parts = place.split(": ", 2)
    value = parts.pop().removeprefix("value ") if len(parts) == 3 else None
    if len(parts) == 2 and parts[1].startswith("value "):
        value = parts.pop().removeprefix("value ")
    key = parts[1] if len(parts) > 1 else parts[0]
    file = parts[0] if len(parts) > 1 else "request"
    return FieldError(
        file=shown(file),
        key=shown(key),
        value=None if value is None else shown(value),
        allowed=shown(allowed or line),
    )


def shown(text: str) -> str:
    """Return ``text`` cut, and without halves of characters, which JSON cannot hold."""
    return text[:_LONGEST_VALUE].encode("utf-8", "replace").decode()
