"""Scoring samples and chats with a real client library against a stub of the provider."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import text

from groundwire.config.choices import KEY
from groundwire_admin.service import Admin, Answer
from groundwire_admin.service.scored import ScoredView
from groundwire_admin.store.database import Store
from tests.support import judge_stub
from tests.support.judge_stub import Stub

DOCS: list[dict[str, Any]] = [
    {"similarity": 0.9, "content": "The pool is closed twice."},
    {"similarity": 0.85},
]
LONG = "x" * 150
#: V002-02.
FORMULA = 0.818
#: By tokens and prices per million where these are set, else for each query.
TOKENS_IN, TOKENS_OUT, PER_QUERY = 400, 9, 0.0002


@pytest.fixture
def provider() -> Iterator[Stub]:
    with judge_stub.judge_stub("openai", judge_stub.text("0.9")) as stub:
        yield stub


@pytest.fixture
def admin(store: Store, provider: Stub) -> Admin:
    return Admin(store, provider.env)


def run(admin: Admin, act: Callable[[], Awaitable[ScoredView]]) -> ScoredView:
    async def once() -> ScoredView:
        try:
            return await act()
        finally:
            await admin.samples.close()

    return asyncio.run(once())


def chat(admin: Admin, message: str = "why?", session_id: str = "s", **more: Any) -> ScoredView:
    fields: dict[str, Any] = {"response": LONG, "context_docs": DOCS}
    fields |= {name: more.pop(name) for name in ("response", "context_docs") if name in more}
    answer = Answer(message, **{name: one for name, one in fields.items() if one is not None})
    return run(admin, lambda: admin.samples.chat(answer, session_id, **more))


def method(admin: Admin, name: str, **more: Any) -> None:
    values = {"method": name, "llm_settings": {"timeout_ms": 20_000}}
    admin.configuration.save({KEY: values}, who="ann", **more)


def sent(provider: Stub) -> str:
    return json.dumps(provider.requests[0].body)


def test_the_same_question_is_asked_once(admin: Admin, provider: Stub) -> None:
    method(admin, "llm")
    first, second = chat(admin), chat(admin)
    assert len(provider.requests) == 1
    assert (second.confidence_score, second.cost) == (first.confidence_score, 0.0)
    assert [row.cached for row in admin.samples.recent()] == [True, False]
    chat(admin, message="and why now?")
    assert len(provider.requests) == 2


@pytest.mark.parametrize(("name", "reported"), [("llm", "formula"), ("hybrid", "hybrid")])
def test_a_judge_that_fails_counts_for_nothing(
    admin: Admin, provider: Stub, name: str, reported: str
) -> None:
    provider.steps = [judge_stub.status(400)]
    method(admin, name)
    scored = chat(admin)
    assert (scored.confidence_method, scored.confidence_score) == (reported, FORMULA)
    assert (scored.requested_method, bool(scored.problem)) == (name, True)
    [row] = admin.samples.recent()
    assert (row.llm_score, row.requested_method, row.method) == (None, name, reported)
    assert row.problem == scored.problem
    assert admin.prompts.active().usage_count == 0


def test_what_is_left_out_or_wrong_is_told_in_the_result(admin: Admin) -> None:
    """A002-17: without a response a canned one is scored."""
    scored = chat(admin, response=None, context_docs=[])
    assert (scored.confidence_score, scored.confidence_method) == (0.0, "formula")
    assert any("no context documents" in line for line in scored.warnings)
    scored = chat(admin, context_docs=[{"similarity": "high"}])
    assert scored.confidence_score == 0.0
    assert "context_docs[0].similarity" in scored.error


def test_prices_hold_for_the_next_judgement(admin: Admin) -> None:
    prices = {"input_per_million": 10.0, "output_per_million": 100.0}
    model = {"provider": "openai", "value": "gpt-4o-mini", **prices}
    admin.models.save_prices([model], who="ann")
    method(admin, "llm")
    assert chat(admin).cost == pytest.approx((TOKENS_IN * 10 + TOKENS_OUT * 100) / 1e6)


def test_a_result_that_cannot_be_kept_is_returned_all_the_same(admin: Admin, store: Store) -> None:
    with store.write() as session:
        for table in ("feedback", "judgements"):
            session.execute(text(f"DROP TABLE {table}"))
    scored = chat(admin)
    assert (scored.confidence_score, scored.judgement_id) == (FORMULA, None)
    assert "was not kept" in scored.warnings[0]


def test_a_judge_without_prompt_or_cache(admin: Admin, store: Store, provider: Stub) -> None:
    with store.write() as session:
        session.execute(text("DELETE FROM prompts"))
        session.execute(text("DROP TABLE cached_answers"))
    method(admin, "llm")
    assert chat(admin).confidence_method == "llm"
    assert "Evaluate confidence in the response." in sent(provider)


def test_while_the_ab_test_runs_the_session_decides_the_method(admin: Admin) -> None:
    method(admin, "formula")
    admin.experiment.save_shares(running=True, who="ann", formula=0, llm=100, hybrid=0)
    assert chat(admin).confidence_method == "llm"
    admin.experiment.save_shares(running=True, who="ann", formula=100, llm=0, hybrid=0)
    assert chat(admin, message="again").confidence_method == "llm"  # it keeps its group
    assert chat(admin, session_id="other").confidence_method == "formula"
    admin.experiment.save_shares(running=False, who="ann")
    assert chat(admin, message="and again").confidence_method == "formula"
