"""What the routes share: checked texts and documents, versions, who changes, error responses."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from groundwire.base.errors import ConfigError
from groundwire_server.admin.service import Admin
from groundwire_server.admin.web.guard import USER
from groundwire_server.admin.web.problems import MEDIA_TYPE

PREFIX = "/api/v1/admin"
#: Ids and versions are 32-bit in every database.
LARGEST_ID = 2**31 - 1
_DEEPEST = 20
_LARGEST_NUMBER = 2**53
_FIRST_YEAR, _LAST_YEAR = 1970, 9998
_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$"


def _admin(request: Request) -> Admin:
    admin: Admin = request.app.state.admin
    return admin


Service = Annotated[Admin, Depends(_admin)]


class Body(BaseModel):
    """Base of request bodies: nothing unknown is taken."""

    model_config = ConfigDict(extra="forbid")


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("text without NUL characters")
    return text


def storable(value: Any, path: tuple[str | int, ...] = ()) -> Any:
    """Return ``value`` unchanged; raises a ValueError that names what no database can hold."""
    if allowed := _allowed_instead(value, len(path)):
        raise PydanticCustomError("storable", "{allowed}", {"allowed": allowed} | _at(path, value))
    if isinstance(value, dict):
        for key, inner in value.items():
            storable(key, (*path, key))
            storable(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            storable(inner, (*path, number))
    return value


def _allowed_instead(value: object, depth: int) -> str:
    """Return what is allowed in place of a value, "" for one that is."""
    if depth > _DEEPEST:
        return f"at most {_DEEPEST} levels"
    if not is_finite(value):
        return "a finite number"
    if isinstance(value, int | float) and not -_LARGEST_NUMBER < value < _LARGEST_NUMBER:
        return f"a number between -{_LARGEST_NUMBER} and {_LARGEST_NUMBER}"
    if isinstance(value, str) and not _is_text(value):
        return "text without NUL characters and halves of characters"
    return ""


def _is_text(value: str) -> bool:
    try:
        return "\0" not in value and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _at(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """Return where a value stands within its document, and the value, in whole characters."""
    value = _whole(value) if isinstance(value, str) else value
    return {"path": [_whole(str(part)) for part in path], "value": value}


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


Text = Annotated[str, AfterValidator(_no_nul)]
Document = Annotated[dict[str, Any], AfterValidator(storable)]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Version = Annotated[
    int | None,
    Field(
        ge=0,
        le=LARGEST_ID,
        description="The version that the change was made from; another one there now is refused "
        "with 409. Left out, the change is made to whichever is there.",
    ),
]
Environment = Annotated[
    str,
    Query(
        pattern=_NAME,
        description="Environment; one without a configuration of its own uses that of `all`.",
        examples=["all", "production"],
    ),
]
MaybeEnvironment = Annotated[
    str,
    Query(
        pattern=rf"{_NAME}|^$",
        description="Environment; empty: that of GROUNDWIRE_ENVIRONMENT, else `all`.",
    ),
]
Profile = Annotated[
    str,
    Query(pattern=rf"{_NAME}|^$", description="A profile of the environment; empty: the active."),
]
Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
Below = Annotated[
    int | None,
    Query(ge=1, le=LARGEST_ID, description="The `id` of the last change of the page before."),
]


def _to_utc(time: datetime | None) -> datetime | None:
    if time is None:
        return None
    if not _FIRST_YEAR <= time.year <= _LAST_YEAR:
        raise ValueError(f"a time in the years {_FIRST_YEAR} to {_LAST_YEAR}")
    return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)


Time = Annotated[
    datetime | None,
    AfterValidator(_to_utc),
    Field(description="A time as in RFC 3339; UTC where it names no zone."),
]
ChangeId = Annotated[
    int, Path(ge=1, le=LARGEST_ID, description="The `id` of a change in the history.")
]
Name = Annotated[str, StringConstraints(pattern=_NAME)]


def _who(
    request: Request,
    user: Annotated[
        str,
        Header(
            alias="X-Groundwire-User",
            max_length=80,
            description="A name for the history of changes.",
            examples=["ada"],
        ),
    ] = "",
) -> str:
    """Return who makes a change, for the history."""
    name = "".join(char for char in user if char.isprintable()).strip()
    name = name or request.scope.get(USER, "")
    if name:
        return str(name)
    return "api" if "authorization" in request.headers else "admin"


Who = Annotated[str, Depends(_who)]


def _if_match(
    tag: Annotated[
        str | None,
        Header(
            alias="If-Match",
            max_length=100,
            description="The ETag of the answer that the change was made from, like `version`.",
        ),
    ] = None,
) -> str | None:
    """Return the version in If-Match, None for any."""
    text = (tag or "").strip().removeprefix("W/")
    return None if text in ("", "*") else text.strip('"')


IfMatch = Annotated[str | None, Depends(_if_match)]


def wanted_version(tag: str | None, version: int | None) -> int | None:
    """Return the version that a change names, in its header or its body. Raises ConfigError."""
    if tag is None:
        return version
    if not (tag.isascii() and tag.isdigit() and len(tag) < 10):
        raise ConfigError('headers: If-Match: allowed: an ETag as sent, such as "3"')
    if version not in (None, int(tag)):
        raise ConfigError("headers: If-Match: allowed: the same as version in the body, or neither")
    return int(tag)


class Tagged(JSONResponse):
    """An answer whose ETag is the ``version`` in it."""

    def __init__(self, content: Any, status_code: int = 200, **given: Any) -> None:
        super().__init__(content, status_code, **given)
        if isinstance(content, dict) and "version" in content:
            self.headers["ETag"] = f'"{content["version"]}"'


def is_finite(value: object) -> bool:
    """Tell whether JSON can hold ``value``."""
    return not isinstance(value, float) or math.isfinite(value)


_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_DESCRIPTIONS = {
    400: "The request is malformed.",
    401: "The token or session is missing or wrong.",
    403: "From a page of another origin.",
    404: "Not found.",
    408: "The body did not arrive in time.",
    409: "Somebody else changed it first; nothing was changed.",
    413: "The body is too large.",
    421: "The Host header names another server.",
    422: "A value is not allowed; `errors` lists each with what is allowed.",
    429: "Too many requests; Retry-After says when to try again.",
    503: "The database cannot be used, or the answer took too long.",
}
#: What the checks around the application may answer to any request.
_ALWAYS = (400, 401, 403, 408, 413, 421, 422, 429, 503)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of a route: those of every route, and these."""
    return {
        status: {"description": _DESCRIPTIONS[status], "content": _PROBLEM}
        for status in sorted({*_ALWAYS, *statuses})
    }
