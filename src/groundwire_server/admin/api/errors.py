"""Exceptions of the application as problems, unknown paths and methods among them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from groundwire.base.errors import (
    ConfigError,
    ConflictError,
    GroundwireError,
    NotFoundError,
    StoreError,
)
from groundwire_server.admin.api.common import is_finite
from groundwire_server.admin.api.metrics import METHODS
from groundwire_server.admin.web.problems import FieldError, problem

LOGGER = logging.getLogger("groundwire.admin")
_LONGEST_VALUE = 200
_ALLOWED, _VALUE = ": allowed: ", ": value "
#: Characters of a body around the place where it is no JSON.
_AROUND = 20
#: What is allowed, by the beginning of the framework's name for what is wrong.
_ALLOWED_BY_TYPE = {
    "int_": "a whole number",
    "float_": "a number",
    "finite_number": "a finite number",
    "bool_": "true or false",
    "string_type": "a text",
    "string_unicode": "text without halves of characters",
    "string_too_long": "a text of at most {max_length} characters",
    "string_too_short": "a text of at least {min_length} characters",
    "string_pattern": "1 to 40 letters, digits, dots, hyphens, underscores",
    "too_long": "a list of at most {max_length}",
    "list_type": "a list",
    "dict_type": "an object",
    "model_": "an object",
    "datetime_": "a time as in RFC 3339",
    "greater_than_equal": "a number from {ge} on",
    "less_than_equal": "a number up to {le}",
    "literal_error": "{expected}",
    "missing": "a value; it is required",
    "extra_forbidden": "no such key",
}


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
    path, detail, headers = request.scope["path"][:80], str(error.detail), error.headers
    if error.status_code == 405:
        headers = {"Allow": ", ".join(_methods(request))}
        detail = f"{path} takes {headers['Allow']}"
    elif error.status_code == 404 and detail == "Not Found":
        detail = f"there is no {path}"
    return problem(error.status_code, detail, headers=headers)


def _methods(request: Request) -> list[str]:
    """Return the methods that the path of a request takes, of all its routes."""
    asked = {"type": "http", "path": request.scope["path"], "root_path": "", "headers": []}
    routes = request.app.router.routes
    return [
        method
        for method in METHODS
        if any(route.matches({**asked, "method": method})[0] is Match.FULL for route in routes)
    ]


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [field_error(detail, error.body) for detail in error.errors()]
    keys = ", ".join(field.key or field.file for field in errors)
    return problem(422, f"not allowed: {keys}", errors=errors)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    errors = [line_error(line) for line in str(error).splitlines()]
    keys = ", ".join(field.key or field.file for field in errors)
    return problem(422, f"not allowed: {keys}", errors=errors)


async def _unusable(_: Request, error: Exception) -> JSONResponse:
    LOGGER.error("store", extra={"problem": str(error)})
    return problem(503, "the database or a settings file cannot be used; the log says why")


def _with_status(status: int) -> Callable[[Request, Exception], Any]:
    async def answer(_: Request, error: Exception) -> JSONResponse:
        return problem(status, shown(str(error)))

    return answer


def field_error(detail: dict[str, Any], body: object = None) -> FieldError:
    """Return one of pydantic's errors in our words; ``body`` is the one that was sent."""
    place, *path = detail["loc"]
    context, value = detail.get("ctx") or {}, detail.get("input")
    known = next((one for one in _ALLOWED_BY_TYPE if detail["type"].startswith(one)), "")
    told = str(detail["msg"]).removeprefix("Value error, ")
    whole = {
        key: int(limit)
        for key, limit in context.items()
        if isinstance(limit, float) and limit.is_integer()
    }
    allowed = _ALLOWED_BY_TYPE[known].format(**context | whole) if known else told
    if detail["type"] == "json_invalid" and path:
        at = int(path[0])
        start = max(0, at - _AROUND)
        value = body[start : at + _AROUND] if isinstance(body, str) else None
        allowed = f"JSON; at character {at + 1}: {context.get('error', 'not JSON')}"
        path = []
    elif detail["type"] == "storable":
        path, value = [*path, *context["path"]], context["value"]
    elif detail["type"] == "missing":
        value = None
    key = shown(".".join(str(part) for part in path)) or place
    return FieldError(file=place, key=key, value=_given(value), allowed=shown(allowed))


def line_error(line: str) -> FieldError:
    """Return one line of a ConfigError, ``file: key: value ...: allowed: ...``, as its parts."""
    place, _, allowed = line.partition(_ALLOWED)
    place, named, rest = place.partition(_VALUE)
    file, between, key = place.partition(": ")
    if not between:
        file, key = "request", place
    value: object = None
    if named:
        value, rest = _value_and_rest(rest)
    else:
        key, between, told = key.partition(": ")
        value = key.rpartition(".")[2] if told.startswith("unknown ") else told or None
    allowed = allowed or rest or line
    return FieldError(file=shown(file), key=shown(key), value=_given(value), allowed=shown(allowed))


def _value_and_rest(text: str) -> tuple[object, str]:
    """Return the value that a text begins with, and what is said behind it."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):  # no JSON
        end = -1
    if text[end:] and not text[end:].startswith(": "):  # cut when shown
        value, _, rest = text.partition(": ")
        return value, rest
    return value, text[end:].removeprefix(": ")


def _given(value: object) -> object:
    """Return a value as it is shown: texts cut, documents as JSON, numbers as they are."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, bool | int | None) or (isinstance(value, float) and is_finite(value)):
        return value
    return shown(json.dumps(value, default=str, ensure_ascii=False))


def shown(text: str) -> str:
    """Return ``text`` cut, and without halves of characters, which JSON cannot hold."""
    return text[:_LONGEST_VALUE].encode("utf-8", "replace").decode()
