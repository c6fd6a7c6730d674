"""The OpenAPI document: complete, and its examples are what it describes."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.admin.server import AdminServer


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
    tags = {tag["name"] for tag in document["tags"]}
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    for method, path, operation in operations(document):
        place = f"{method} {path}"
        assert operation["summary"], place
        assert operation["description"], place
        assert set(operation["tags"]) <= tags, place
        assert {"401", "403", "421", "429", "503"} <= operation["responses"].keys(), place
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], f"{place} {parameter['name']}"
        for status, response in operation["responses"].items():
            assert response["description"], place
            if not status.startswith("2"):
                assert "application/problem+json" in response["content"], place


def test_every_operation_says_how_to_sign_in(document: dict[str, Any]) -> None:
    assert document["components"]["securitySchemes"].keys() == {"token", "session"}
    assert document["security"] == [{"token": []}, {"session": []}]
    own = {path: one["security"] for _, path, one in operations(document) if "security" in one}
    token: list[dict[str, list[str]]] = [{"token": []}]
    assert own == {"/healthz": [], "/hook": token, "/stop": token}


def test_answers_have_examples_that_hold(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json")
            if status.startswith("2") and content:
                assert "example" in content, f"{method} {path}"
                valid(document, content["schema"], content["example"])


def test_bodies_have_examples_that_hold(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for method, path, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content and path != "/hook":
            one = content["schema"].get("anyOf", [content["schema"]])[0]
            schema = schemas[one["$ref"].rsplit("/", 1)[1]]
            given = {
                name: of["examples"][0]
                for name, of in schema["properties"].items()
                if "examples" in of
            }
            example = schema.get("example", given)
            assert example or schema.get("example") == {}, f"{method} {path}"
            valid(document, one, example)
