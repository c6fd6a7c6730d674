"""Chat and sample over HTTP (R002-27, R002-35), the judge behind a stub, feedback, figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.admin.server import AdminServer, is_problem
from tests.support.judge_stub import judge_stub, text

ADMIN = "/api/v1/admin"
CHAT = "/api/v1/chat"
CONFIG = f"{ADMIN}/agent-config"
SHARES = f"{ADMIN}/ab-report/shares"
DOCS = [{"similarity": value, "content": "text"} for value in (0.95, 0.92, 0.88)]
ANSWER = "x" * 250


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    """Return a server of this test alone."""
    admin = AdminServer(tmp_path_factory.mktemp("fresh") / "home")
    yield admin
    admin.close()


def chat(server: AdminServer, **more: Any) -> dict[str, Any]:
    body = {"message": "What?", "session_id": "s", "response": ANSWER, "context_docs": DOCS, **more}
    answer = server.client.post(CHAT, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_chat_is_scored_by_formula(server: AdminServer) -> None:
    found = chat(server)
    assert (found["confidence_score"], found["confidence_method"]) == (0.9472, "formula")
    assert found["confidence_breakdown"]["similarity_score"] == 0.934


def test_a_chat_needs_a_message_and_a_session_alone(server: AdminServer) -> None:
    answer = server.client.post(CHAT, json={"message": "hello", "session_id": "s"}).json()
    assert answer.keys() >= {"confidence_score", "confidence_method", "confidence_breakdown"}
    assert answer["confidence_method"] == "formula"


def test_a_changed_method_holds_for_the_next_chat(fresh: AdminServer) -> None:
    """R002-35; without a key for the judge its fall-back says what was asked for."""
    assert chat(fresh)["requested_method"] == "formula"
    body = {"config": {"confidence_calculation": {"method": "llm"}}}
    assert fresh.client.put(CONFIG, json=body).status_code == 200
    found = chat(fresh)
    assert (found["requested_method"], found["confidence_method"]) == ("llm", "formula")
    assert found["confidence_score"] == 0.9472
    assert found["problem"]


def test_a_sample_is_tried_with_unsaved_changes(server: AdminServer) -> None:
    path = f"{CONFIG}/test"
    sample = {"query": "q", "response": "y" * 150, "context_docs": [{"similarity": 0.9}]}
    weights = {"similarity": 1.0, "source_quality": 0.0, "response_length": 0.0}
    change = {"confidence_calculation": {"formula_weights": weights}}
    tried = server.client.post(path, json={**sample, "config": change}).json()
    assert tried["confidence_score"] == 0.9
    assert server.client.post(path, json=sample).json()["confidence_score"] != 0.9
    weights["similarity"] = 0.5
    fields = is_problem(server.client.post(path, json={**sample, "config": change}), 422)
    assert fields["errors"][0]["key"] == "formula_weights"
    missing = server.client.post(path, json=sample, params={"profile": "none"})
    is_problem(missing, 404)


BAD_CHATS: list[dict[str, Any]] = [
    {"message": "m"},
    {"session_id": "s"},
    {"message": "m", "session_id": ""},
    {"message": "m", "session_id": "s", "context_docs": [{"similarity": "high"}]},
    {"message": "m", "session_id": "s", "context_docs": [1]},
    {"message": "m", "session_id": "s", "context_docs": {}},
    {"message": "m", "session_id": "s", "environment": "a b"},
    {"message": "m", "session_id": "s", "model": "x"},
]


@pytest.mark.parametrize("body", BAD_CHATS, ids=str)
def test_bad_chats(server: AdminServer, body: dict[str, Any]) -> None:
    assert is_problem(server.client.post(CHAT, json=body), 422)["errors"]


BAD_SAMPLES: list[dict[str, Any]] = [
    {"query": "q"},
    {"query": "q", "response": "r", "config": {"other": {}}},
    {"query": "q", "response": "r", "config": {"confidence_calculation": 1}},
    {"query": "q", "response": "r", "config": {"confidence_calculation": {"method": "x"}}},
]


@pytest.mark.parametrize("body", BAD_SAMPLES, ids=str)
def test_bad_samples(server: AdminServer, body: dict[str, Any]) -> None:
    assert is_problem(server.client.post(f"{CONFIG}/test", json=body), 422)["errors"]


def test_judgements_and_votes(fresh: AdminServer) -> None:
    number = chat(fresh)["judgement_id"]
    [row] = fresh.client.get(f"{ADMIN}/judgements").json()["judgements"]
    assert (row["id"], row["purpose"], row["score"], row["vote"]) == (number, "chat", 0.9472, None)
    path = f"{ADMIN}/judgements/{number}/feedback"
    assert fresh.client.post(path, json={"vote": 1}).status_code == 204
    [row] = fresh.client.get(f"{ADMIN}/judgements").json()["judgements"]
    assert row["vote"] == 1
    reliability = fresh.client.get(f"{ADMIN}/reliability").json()
    assert (reliability["source"], reliability["votes"]) == ("judgements", 1)
    is_problem(fresh.client.post(f"{ADMIN}/judgements/99/feedback", json={"vote": 1}), 404)
    is_problem(fresh.client.post(path, json={"vote": "up"}), 422)
    [spent] = fresh.client.get(f"{ADMIN}/judgements/spent").json()["spent"]
    assert (spent["method"], spent["judgements"], spent["cost"]) == ("formula", 1, 0)
    figure = 'groundwire_judgements{method="formula",model="",provider=""} 1.0'
    assert figure in fresh.client.get("/metrics").text


def test_the_ab_test(fresh: AdminServer) -> None:
    before = fresh.client.get(SHARES)
    assert before.json() == {
        "running": False,
        "formula": 33,
        "llm": 33,
        "hybrid": 34,
        "version": 0,
    }
    body = {"running": True, "formula": 100, "llm": 0, "hybrid": 0}
    tag = {"If-Match": before.headers["etag"]}
    assert fresh.client.put(SHARES, json=body, headers=tag).status_code == 200
    is_problem(fresh.client.put(SHARES, json=body, headers=tag), 409)
    fields = is_problem(fresh.client.put(SHARES, json={**body, "llm": 1}), 422)
    assert "100" in fields["errors"][0]["allowed"]
    for number in range(3):
        chat(fresh, session_id=f"s{number}")
    report = fresh.client.get(f"{ADMIN}/ab-report").json()
    sizes = {group["method"]: group["judgements"] for group in report["groups"]}
    assert sizes == {"formula": 3, "llm": 0, "hybrid": 0}
    assert [one["name"] for one in report["criteria"]]
    assert len(report["criteria"]) == 3


@pytest.mark.parametrize("path", ["trends", "ab-report"])
@pytest.mark.parametrize("time", ["x", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
def test_impossible_times(server: AdminServer, path: str, time: str) -> None:
    for name in ("since", "until"):
        is_problem(server.client.get(f"{ADMIN}/{path}", params={name: time}), 422)


def test_trends(server: AdminServer) -> None:
    found = server.client.get(f"{ADMIN}/trends", params={"since": "2020-01-01T00:00:00"}).json()
    assert found["since"] == "2020-01-01T00:00:00Z"
    assert {"per_day", "per_kind", "per_agent", "latency"} <= found.keys()
    is_problem(server.client.get(f"{ADMIN}/trends", params={"since": "2990-01-01"}), 422)
    is_problem(server.client.get(f"{ADMIN}/reliability", params={"source": "x"}), 422)


def test_a_preview_of_a_prompt(server: AdminServer) -> None:
    path = f"{ADMIN}/prompts/confidence_evaluation_prompt/preview"
    sample = {"content": "Rate {response} for {query}. {other}", "query": "{context}"}
    found = server.client.post(path, json=sample).json()
    assert found["text"].startswith("Rate It is 10 requests a second. for {context}. {other}")
    assert found["missing_variables"] == ["context"]
    assert "{context}" in found["warning"]
    is_problem(server.client.post(path, json={"content": ""}), 422)
    is_problem(server.client.post(path, json={}), 422)


def test_a_judge_behind_the_server(home: Path) -> None:
    """The method is hybrid, the judge a stub: score, tokens, use of the prompt."""
    with judge_stub("openai", text("0.5")) as stub:
        server = AdminServer(home, env=stub.env)
        try:
            body = {"config": {"confidence_calculation": {"method": "hybrid"}}}
            assert server.client.put(CONFIG, json=body).status_code == 200
            found = chat(server)
            score = 0.6 * 0.9472 + 0.4 * 0.5
            assert found["confidence_method"] == "hybrid"
            assert abs(found["confidence_score"] - score) < 1e-6
            assert found["confidence_breakdown"]["llm_score"] == 0.5
            [row] = server.client.get(f"{ADMIN}/judgements").json()["judgements"]
            assert (row["llm_score"], row["input_tokens"] > 0) == (0.5, True)
            prompt = server.client.get(f"{ADMIN}/prompts/confidence_evaluation_prompt/active")
            assert prompt.json()["usage_count"] == 1
            figures = server.client.get("/metrics").text
            labels = 'direction="input",method="hybrid",model="gpt-4o-mini",provider="openai"'
            assert f"groundwire_judge_tokens{{{labels}}} {row['input_tokens']}.0" in figures
            assert stub.env["OPENAI_API_KEY"] not in server.stderr.read_text(encoding="utf-8")
        finally:
            server.close()
