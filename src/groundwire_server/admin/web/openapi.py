"""The OpenAPI document: what FastAPI makes of the routes, with sign-in and errors added."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from groundwire.base.version import __version__
from groundwire.settings.judge_models import JudgeModel
from groundwire_confidence.calculation import ConfidenceCalculationConfig
from groundwire_server.admin.web.guard import OPEN
from groundwire_server.admin.web.problems import Problem

_ABOUT = """Settings, decisions and figures of groundwire, and the hook itself over HTTP.

Every request but that of `/healthz` needs the server's token as `Authorization: Bearer TOKEN`, or
the cookie that the login page gives for it. Errors are `application/problem+json` (RFC 9457).
A change may name the version that it was made from, in the body or in `If-Match`; when somebody
else was faster it is refused with 409 and nothing is changed."""
_TAGS = {
    "hook": "Claude Code's http hook: the same analysis and the same bytes as the command hook.",
    "filter": "What `groundwire scan` reports.",
    "confidence": "The confidence of an answer by formula, judge or both.",
    "configuration": "How confidence is calculated, for each environment.",
    "prompts": "Versions of the judge's prompt.",
    "models": "Providers and models of the judge, their prices, and what a month costs.",
    "hook settings": "The hook's settings that this server may change.",
    "decisions": "What the hook decided, with feedback.",
    "figures": "Trends, reliability, and the A/B report.",
    "system": "The server itself.",
}
_SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The line in `admin-token` in groundwire's state folder.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "groundwire_PORT",
        "description": "Given by `POST /login`; a change with it needs our own Origin.",
    },
}
#: What an example has where nothing is given, by the type of JSON.
_NOTHING = {"string": "", "integer": 0, "number": 0.0, "boolean": False, "array": [], "object": {}}
_REFERENCE = "#/components/schemas/{model}"


def describe(app: FastAPI) -> None:
    """Make ``app.openapi`` return the complete document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(
        title="groundwire",
        version=__version__,
        description=_ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    components = made.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for model in (Problem, ConfidenceCalculationConfig, JudgeModel):
        schema = model.model_json_schema(ref_template=_REFERENCE)
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    for name in ("HTTPValidationError", "ValidationError"):  # ours are problems
        schemas.pop(name, None)
    components["securitySchemes"] = _SECURITY
    made["security"] = [{"token": []}, {"session": []}]
    given = json.loads((resources.files(__package__) / "examples.json").read_text("utf-8"))
    for path, operations in made["paths"].items():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                content = response.get("content", {}).get("application/json")
                if status.startswith("2") and content:
                    content["example"] = _example(content["schema"], schemas, given)
            if path in OPEN:
                operation["security"] = []
            elif "hook" in operation.get("tags", ()):
                operation["security"] = [{"token": []}]
    return made


def _example(schema: dict[str, Any], schemas: dict[str, Any], given: dict[str, Any]) -> Any:
    """Return a value that ``schema`` describes, with what is ``given`` for the fields of models."""
    if "$ref" in schema:
        model = schema["$ref"].rpartition("/")[2]
        return {
            name: _example(field, schemas, given)
            for name, field in schemas[model]["properties"].items()
        } | given.get(model, {})
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], schemas, given)
    if "examples" in schema:
        return schema["examples"][0]
    if "properties" in schema:
        return {name: _example(one, schemas, given) for name, one in schema["properties"].items()}
    if "$ref" in schema.get("items", {}):
        return [_example(schema["items"], schemas, given)]
    return schema.get("default", schema.get("const", _NOTHING.get(schema.get("type", ""))))
