"""The OpenAPI document: complete, and its examples are what it describes."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.admin.server import AdminServer
from tests.support.tables import tables


@pytest.fixture(scope="module")
def document(server: AdminServer) -> dict[str, Any]:
    found: dict[str, Any] = server.stranger.get("/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def valid(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    Draft202012Validator({**schema, "components": document["components"]}).validate(value)


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    Draft202012Validator(tables(__file__)["described"]).validate(document)
    names = [operation["operationId"] for *_, operation in operations(document)]
    assert len(names) == len(set(names))
    used = {tag for *_, operation in operations(document) for tag in operation["tags"]}
    assert used <= {tag["name"] for tag in document["tags"]}
    own = {path: one["security"] for _, path, one in operations(document) if "security" in one}
    token: list[dict[str, list[str]]] = [{"token": []}]
    assert own == {"/healthz": [], "/hook": token, "/stop": token}


def test_examples_of_answers_and_bodies_hold(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for method, path, operation in operations(document):
        answers = [one for key, one in operation["responses"].items() if key.startswith("2")]
        for answer in answers:
            content = answer.get("content", {}).get("application/json")
            if content:
                assert "example" in content, f"{method} {path}"
                valid(document, content["schema"], content["example"])
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content and path != "/hook":
            one = content["schema"].get("anyOf", [content["schema"]])[0]
            schema = schemas[one["$ref"].rsplit("/", 1)[1]]
            examples = {name: of.get("examples") for name, of in schema["properties"].items()}
            given = {name: of[0] for name, of in examples.items() if of}
            example = schema.get("example", given)
            assert example or schema.get("example") == {}, f"{method} {path}"
            valid(document, one, example)
