"""Scoring samples and chats with real client libraries against a stub of the provider."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from sqlalchemy import text

from groundwire.config.choices import KEY
from groundwire.errors import ConfigError, NotFoundError
from groundwire_admin.service import Admin, Answer
from groundwire_admin.service.scored import ScoredView
from groundwire_admin.store.database import Store

DOCS: list[dict[str, Any]] = [
    {"similarity": 0.9, "content": "The pool is closed twice."},
    {"similarity": 0.85},
]
LONG = "x" * 150
#: V002-02.
FORMULA = 0.818


class Provider:
    """Stands in for OpenAI's API on loopback; ``answers`` is what it says, in turn."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.status = 200
        self.answer = "0.9"
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                provider.requests.append(json.loads(self.rfile.read(length)))
                body = json.dumps(provider.body()).encode()
                self.send_response(provider.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def body(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.answer}
        return {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-4o-mini",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
        }


@pytest.fixture
def provider() -> Iterator[Provider]:
    stub = Provider()
    yield stub
    stub.server.shutdown()
    stub.server.server_close()


@pytest.fixture
def admin(store: Store, provider: Provider) -> Admin:
    return Admin(store, {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": provider.url})


def run(admin: Admin, act: Callable[[], Awaitable[ScoredView]]) -> ScoredView:
    async def once() -> ScoredView:
        try:
            return await act()
        finally:
            await admin.samples.close()

    return asyncio.run(once())


def chat(admin: Admin, message: str = "why?", session_id: str = "s", **more: Any) -> ScoredView:
    more = {"response": LONG, "context_docs": DOCS, **more}
    return run(admin, lambda: admin.samples.chat(message, session_id, **more))


def sample(admin: Admin, **more: Any) -> ScoredView:
    answer = Answer("why?", LONG, DOCS)
    return run(admin, lambda: admin.samples.try_out(answer, **more))


def method(admin: Admin, name: str) -> None:
    admin.configuration.save(
        {KEY: {"method": name, "llm_settings": {"timeout_ms": 20_000}}}, who="ann"
    )


def test_a_chat_is_scored_by_the_formula_at_first(admin: Admin, provider: Provider) -> None:
    """R002-35."""
    scored = chat(admin)
    assert (scored.confidence_score, scored.confidence_method) == (FORMULA, "formula")
    assert scored.confidence_breakdown == {
        "similarity_score": 0.885,
        "source_boost": 0.6,
        "length_boost": 0.5,
    }
    assert (scored.cost, scored.level, scored.warnings) == (0.0, "CONFIDENT", [])
    assert scored.milliseconds < 100
    assert provider.requests == []


def test_after_a_change_the_next_chat_has_the_new_method(admin: Admin, provider: Provider) -> None:
    """R002-35."""
    method(admin, "llm")
    scored = chat(admin)
    assert (scored.confidence_score, scored.confidence_method) == (0.9, "llm")
    assert scored.cost == 0.0002
    sent = json.dumps(provider.requests[0])
    assert "The pool is closed twice." in sent
    assert "why?" in sent


def test_hybrid_and_what_is_kept_of_it(admin: Admin) -> None:
    method(admin, "hybrid")
    scored = chat(admin, session_id="s7")
    assert scored.confidence_score == 0.8508  # V002-03
    [row] = admin.samples.recent()
    assert (row.id, row.session, row.purpose) == (scored.judgement_id, "s7", "chat")
    assert (row.method, row.requested_method, row.score) == ("hybrid", "hybrid", 0.8508)
    assert (row.formula_score, row.llm_score) == (FORMULA, 0.9)
    assert (row.provider, row.model, row.prompt_version) == ("openai", "gpt-4o-mini", 1)
    assert (row.input_tokens, row.output_tokens, row.cost) == (90, 10, 0.0002)
    assert (row.cached, row.problem) == (False, "")
    assert admin.prompts.active().usage_count == 1


def test_the_same_question_is_asked_once(admin: Admin, provider: Provider) -> None:
    method(admin, "llm")
    first, second = chat(admin), chat(admin)
    assert len(provider.requests) == 1
    assert (second.confidence_score, second.cost) == (first.confidence_score, 0.0)
    assert [row.cached for row in admin.samples.recent()] == [True, False]
    chat(admin, message="and why now?")
    assert len(provider.requests) == 2


@pytest.mark.parametrize(
    ("name", "reported", "score"), [("llm", "formula", FORMULA), ("hybrid", "hybrid", FORMULA)]
)
def test_a_judge_that_fails_counts_for_nothing(
    admin: Admin, provider: Provider, name: str, reported: str, score: float
) -> None:
    provider.status = 400
    method(admin, name)
    scored = chat(admin)
    assert (scored.confidence_method, scored.confidence_score) == (reported, score)
    assert scored.requested_method == name
    assert scored.problem
    [row] = admin.samples.recent()
    assert (row.llm_score, row.requested_method, row.method) == (None, name, reported)
    assert row.problem == scored.problem
    assert admin.prompts.active().usage_count == 0


def test_without_a_response_a_canned_one_is_scored(admin: Admin) -> None:
    """A002-17."""
    scored = chat(admin, response=None, context_docs=[])
    assert (scored.confidence_score, scored.confidence_method) == (0.0, "formula")
    assert any("no context documents" in line for line in scored.warnings)


def test_a_sample_runs_through_what_nobody_has_saved_yet(admin: Admin) -> None:
    changes = {"method": "hybrid", "hybrid_settings": {"formula_weight": 0.2, "llm_weight": 0.8}}
    scored = sample(admin, changes={**changes, "llm_settings": {"timeout_ms": 20_000}})
    assert scored.confidence_score == pytest.approx(0.2 * FORMULA + 0.8 * 0.9)
    assert [factor.weight for factor in scored.factors] == [0.2, 0.8]
    assert admin.configuration.get().config[KEY]["method"] == "formula"
    assert admin.samples.recent(purpose="chat") == []
    assert len(admin.samples.recent(purpose="sample")) == 1


def test_a_sample_of_another_profile_and_prompt(admin: Admin, provider: Provider) -> None:
    admin.configuration.save(
        {KEY: {"method": "llm", "llm_settings": {"timeout_ms": 20_000}}}, who="ann", profile="trial"
    )
    scored = sample(admin, profile="trial", prompt="Rate {response} {context} {query}.")
    assert scored.confidence_method == "llm"
    assert f"Rate {LONG} The pool" in json.dumps(provider.requests[0])
    assert admin.samples.recent()[0].prompt_version is None


def test_prices_hold_for_the_next_judgement(admin: Admin) -> None:
    prices = {"input_per_million": 10.0, "output_per_million": 100.0}
    model = {"provider": "openai", "value": "gpt-4o-mini", **prices}
    admin.models.save_prices([model], who="ann")
    method(admin, "llm")
    assert chat(admin).cost == pytest.approx((90 * 10 + 10 * 100) / 1e6)


def test_votes(admin: Admin) -> None:
    number = chat(admin).judgement_id
    assert number is not None
    admin.samples.vote(number, -1, who="ann", note="wrong file")
    admin.samples.vote(number, 1, who="bob")
    assert [admin.samples.recent(who=who)[0].vote for who in ("ann", "bob", "eve")] == [-1, 1, None]
    with pytest.raises(NotFoundError, match="judgement: 99"):
        admin.samples.vote(99, 1, who="ann")
    with pytest.raises(ConfigError, match="vote: value 5"):
        admin.samples.vote(number, 5, who="ann")


def test_recent_in_pages(admin: Admin) -> None:
    numbers = [chat(admin, message=f"m{number}").judgement_id for number in range(5)]
    first = admin.samples.recent(limit=3)
    rest = admin.samples.recent(limit=3, below=first[-1].id)
    assert [row.id for row in (*first, *rest)] == numbers[::-1]
    with pytest.raises(ConfigError, match="limit: value 0"):
        admin.samples.recent(limit=0)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"message": "m" * 1_000_001}, "message: 1000001 characters"),
        ({"response": "r" * 1_000_001}, "response: 1000001 characters"),
        ({"context_docs": [{}] * 1_001}, "context_docs: 1001 of them"),
        ({"context_docs": [{}, 3]}, r"context_docs\[1\]: allowed: an object"),
        ({"environment": "a b"}, "environment: value"),
    ],
)
def test_what_is_not_allowed(admin: Admin, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        chat(admin, **fields)
    with pytest.raises(ConfigError, match=r"llm_settings\.temperature: value 9"):
        sample(admin, changes={"llm_settings": {"temperature": 9}})
    assert admin.samples.recent() == []


@pytest.mark.parametrize("bad", ["a\0b", "\ud800"])
def test_texts_that_no_database_takes(admin: Admin, provider: Provider, bad: str) -> None:
    provider.answer = f"0.7 {bad}"
    method(admin, "llm")
    scored = chat(admin, message=bad, session_id=bad, response=bad)
    assert scored.confidence_method in ("llm", "formula")
    assert scored.judgement_id is not None


def test_a_document_without_a_number_is_an_error_in_the_result(admin: Admin) -> None:
    scored = chat(admin, context_docs=[{"similarity": "high"}])
    assert scored.confidence_score == 0.0
    assert "context_docs[0].similarity" in scored.error


def test_a_result_that_cannot_be_kept_is_returned_all_the_same(admin: Admin, store: Store) -> None:
    with store.write() as session:
        session.execute(text("DROP TABLE feedback"))
        session.execute(text("DROP TABLE judgements"))
    scored = chat(admin)
    assert (scored.confidence_score, scored.judgement_id) == (FORMULA, None)
    assert "was not kept" in scored.warnings[0]


def test_without_a_prompt_the_judge_has_its_own(
    admin: Admin, store: Store, provider: Provider
) -> None:
    with store.write() as session:
        session.execute(text("DELETE FROM prompts"))
    method(admin, "llm")
    assert chat(admin).confidence_method == "llm"
    assert "Evaluate confidence in the response." in json.dumps(provider.requests[0])


def test_while_the_ab_test_runs_the_session_decides_the_method(admin: Admin) -> None:
    method(admin, "formula")
    admin.experiment.save_shares(running=True, who="ann", formula=0, llm=100, hybrid=0)
    assert chat(admin).confidence_method == "llm"
    admin.experiment.save_shares(running=True, who="ann", formula=100, llm=0, hybrid=0)
    assert chat(admin, message="again").confidence_method == "llm"  # it keeps its group
    assert chat(admin, session_id="other").confidence_method == "formula"
    admin.experiment.save_shares(running=False, who="ann")
    assert chat(admin, message="and again").confidence_method == "formula"
