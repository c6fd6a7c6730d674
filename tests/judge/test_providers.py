"""The official clients against servers on loopback that behave well, badly, or not at all."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from groundwire.config.calculation import LLMConfidenceSettings
from groundwire.judge import retry
from groundwire.judge.cache import SqliteCache
from groundwire.judge.judges import Judgement, Judges
from groundwire.judge.prompt import SHIPPED
from groundwire.judge.protocol import JudgeError
from groundwire.judge.providers import make_provider
from tests.support.judge_stub import (
    KEY,
    MODELS,
    PROVIDERS,
    Step,
    Stub,
    judge_stub,
    status,
    structured,
    text,
)
from tests.support.tables import table


def settings(provider: str, timeout_ms: int = 5000, **values: Any) -> LLMConfidenceSettings:
    return LLMConfidenceSettings(
        provider=provider,  # type: ignore[arg-type]
        model=values.pop("model", MODELS[provider]),
        timeout_ms=timeout_ms,
        **values,
    )


def judged(stub: Stub, timeout_ms: int = 5000, **values: Any) -> Judgement:
    async def run() -> Judgement:
        async with Judges(stub.env) as judges:
            return await judges.judge(
                settings(stub.provider, timeout_ms, **values),
                query="Which port?",
                context="The server listens on 8080.",
                response="8080.",
                prompt=SHIPPED,
            )

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_a_structured_answer_is_a_judgement_with_tokens_and_cost(provider: str) -> None:
    with judge_stub(provider, structured(0.82)) as stub:
        judgement = judged(stub)
    assert (judgement.score, judgement.parse_error, judgement.clamped) == (0.82, False, False)
    assert (judgement.provider, judgement.model) == (provider, MODELS[provider])
    assert (judgement.input_tokens, judgement.output_tokens) == (400, 9)
    assert judgement.cost == (None if provider == "anthropic" else 0.0002)
    assert (judgement.attempts, judgement.cached, judgement.prompt_version) == (1, False, 1)
    assert judgement.milliseconds > 0


def test_the_request_holds_the_whole_question_and_the_key_in_its_header(provider: str) -> None:
    with judge_stub(provider, structured(0.82)) as stub:
        judged(stub, temperature=0.3, max_tokens=77)
    [request] = stub.requests
    body = request.body
    assert body["model"] == MODELS[provider]
    assert (body["temperature"], body["max_tokens"]) == (0.3, 77)
    asked = body["messages"][-1]["content"]
    assert "Which port?" in asked
    assert "The server listens on 8080." in asked
    assert any(KEY in value for value in request.headers.values())
    assert KEY not in str(body)
    if provider == "anthropic":
        assert request.path == "/v1/messages"
        assert body["system"].startswith("You are a confidence evaluator.")
        assert body["tool_choice"] == {"type": "tool", "name": "report_confidence"}
    else:
        assert body["messages"][0]["role"] == "system"
        assert body["messages"][0]["content"].startswith("You are a confidence evaluator.")
        assert body["response_format"]["json_schema"]["strict"] is True
    if provider == "azure":
        path = "/openai/deployments/gpt-4o-mini/chat/completions?api-version=2024-10-21"
        assert request.path == path
    if provider == "openai":
        assert request.path == "/v1/chat/completions"


@table
def test_prose_around_the_number_and_garbage(
    reply: str, score: float, parse_error: bool, clamped: bool, provider: str
) -> None:
    with judge_stub(provider, text(reply)) as stub:
        judgement = judged(stub)
    assert judgement.raw_response == reply
    assert (judgement.score, judgement.parse_error, judgement.clamped) == (
        score,
        parse_error,
        clamped,
    )


@pytest.mark.parametrize(
    "step",
    [
        Step("raw", "<html>gateway</html>", headers={"content-type": "text/html"}),
        Step("raw", "<html>gateway</html>"),
        Step("raw", "{"),
        Step("raw", "{}"),
        Step("raw", "[]"),
        Step("raw", '{"choices": [], "content": [], "usage": 3}'),
        Step("raw", '{"choices": [5], "content": [5], "usage": null}'),
        Step("raw", '{"choices": [{"message": {"content": {"a": 1}}}], "content": "x"}'),
    ],
)
def test_a_reply_of_another_kind_is_an_error_and_no_crash(provider: str, step: Step) -> None:
    with judge_stub(provider, step) as stub, pytest.raises(JudgeError) as caught:
        judged(stub)
    assert str(caught.value).startswith(f"{provider}: ")
    assert not caught.value.retry
    assert len(stub.requests) == 1


def test_a_slow_provider_is_given_up_when_the_time_is_over(provider: str) -> None:
    with judge_stub(provider, Step("slow")) as stub:
        judged_before = time.perf_counter()
        with pytest.raises(JudgeError, match=r"^no answer within 300 ms$"):
            judged(stub, timeout_ms=300)
        took = time.perf_counter() - judged_before
    assert took < 5  # the first import of a client is not part of the limit


def test_too_many_requests_is_tried_again(provider: str) -> None:
    with judge_stub(provider, status(429), structured(0.7)) as stub:
        judgement = judged(stub)
    assert (judgement.score, judgement.attempts, len(stub.requests)) == (0.7, 2, 2)


@pytest.mark.parametrize("code", [408, 409, 429, 500, 503, 529])
def test_what_may_pass_is_tried_four_times(provider: str, code: int) -> None:
    with judge_stub(provider, status(code)) as stub:
        with pytest.raises(JudgeError, match=rf"^{provider}: HTTP {code}.*\(4 attempts\)$"):
            judged(stub, timeout_ms=20_000)
        assert len(stub.requests) == 4


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
def test_what_cannot_pass_is_not_tried_again(provider: str, code: int) -> None:
    with judge_stub(provider, status(code, f"no such thing for {KEY}")) as stub:
        with pytest.raises(JudgeError, match=f"^{provider}: HTTP {code}: ") as caught:
            judged(stub)
        assert len(stub.requests) == 1
    assert KEY not in str(caught.value)


def test_a_refused_key_is_told_without_quoting_the_provider(provider: str) -> None:
    step = status(401, f"Incorrect key: {KEY[:8]}***{KEY[-4:]}")
    with judge_stub(provider, step) as stub, pytest.raises(JudgeError) as caught:
        judged(stub)
    assert str(caught.value) == f"{provider}: HTTP 401: the key is not accepted"


def test_a_wait_that_the_provider_asks_for_is_kept(provider: str) -> None:
    with judge_stub(provider, status(429, retry_after="1"), structured(0.7)) as stub:
        started = time.perf_counter()
        assert judged(stub, timeout_ms=10_000).attempts == 2
        assert time.perf_counter() - started >= 1


def test_a_wait_beyond_the_time_limit_is_not_begun(provider: str) -> None:
    with judge_stub(provider, status(429, retry_after="60"), structured(0.7)) as stub:
        started = time.perf_counter()
        with pytest.raises(JudgeError, match="HTTP 429"):
            judged(stub, timeout_ms=20_000)
        assert time.perf_counter() - started < 10
        assert len(stub.requests) == 1


def test_attempts_end_with_the_time_limit(provider: str) -> None:
    with judge_stub(provider, status(500), Step("slow")) as stub:
        with pytest.raises(JudgeError, match=r"^no answer within 900 ms; last: .*HTTP 500"):
            judged(stub, timeout_ms=900)
        assert len(stub.requests) == 2


def test_a_dropped_connection_is_tried_again(provider: str) -> None:
    with judge_stub(provider, Step("drop"), structured(0.6)) as stub:
        judgement = judged(stub)
    assert (judgement.score, judgement.attempts) == (0.6, 2)


def test_a_connection_that_is_always_dropped_is_an_error(provider: str) -> None:
    failure = pytest.raises(JudgeError, match=rf"^{provider}: no connection .*4 attempts")
    with judge_stub(provider, Step("drop")) as stub, failure:
        judged(stub, timeout_ms=20_000)


def test_nobody_listens(provider: str) -> None:
    with judge_stub(provider, structured(0.6)) as stub:
        pass
    with pytest.raises(JudgeError, match=rf"^{provider}: no connection"):
        judged(stub, timeout_ms=20_000)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_told_before_anything_is_sent(provider: str, value: str | None) -> None:
    with judge_stub(provider, structured(0.6)) as stub:
        [name] = [name for name in stub.env if name.endswith("_API_KEY")]
        env = {**stub.env, name: value}
        if value is None:
            del env[name]

        async def run() -> None:
            async with Judges({k: v for k, v in env.items() if v is not None}) as judges:
                await judges.judge(settings(provider), query="q", context="c", response="r")

        with pytest.raises(JudgeError, match=rf"^{provider}: {name} is not set"):
            asyncio.run(run())
        assert stub.requests == []


def test_azure_needs_the_address_of_its_resource() -> None:
    async def run() -> None:
        async with Judges({"AZURE_OPENAI_API_KEY": KEY}) as judges:
            await judges.judge(settings("azure"), query="q", context="c", response="r")

    with pytest.raises(JudgeError, match=r"^azure: AZURE_OPENAI_ENDPOINT is not set"):
        asyncio.run(run())


OPENAI_REFUSALS = [
    ("Unsupported value: 'temperature' does not support 0.1 with this model.", "temperature"),
    ("'response_format' of type 'json_schema' is not supported.", "response_format"),
    ("Unsupported parameter: 'max_tokens': use 'max_completion_tokens'.", "max_tokens"),
]
REFUSALS = [
    *(("openai", *row) for row in OPENAI_REFUSALS),
    *(("azure", *row) for row in OPENAI_REFUSALS),
    ("anthropic", "tool_choice forces tool use, which is not supported", "tools"),
    ("anthropic", "`temperature` is deprecated for this model.", "temperature"),
]


@pytest.mark.parametrize(("provider", "message", "gone"), REFUSALS)
def test_what_a_model_refuses_is_left_out_from_then_on(
    provider: str, message: str, gone: str
) -> None:
    with judge_stub(provider, status(400, message), text("0.7"), text("0.6")) as stub:

        async def run() -> list[Judgement]:
            async with Judges(stub.env) as judges:
                return [
                    await judges.judge(settings(provider), query=q, context="c", response="r")
                    for q in ("one", "two")
                ]

        first, second = asyncio.run(run())
    assert (first.score, second.score, first.attempts) == (0.7, 0.6, 1)
    assert gone in stub.requests[0].body
    assert [gone in request.body for request in stub.requests[1:]] == [False, False]
    if gone == "max_tokens":
        assert stub.requests[1].body["max_completion_tokens"] == 100


def test_temperatures_beyond_the_range_of_a_provider_are_its_highest(provider: str) -> None:
    with judge_stub(provider, structured(0.7)) as stub:
        judged(stub, temperature=1.6)
    expected = 1.0 if provider == "anthropic" else 1.6
    assert stub.requests[0].body["temperature"] == expected


def test_no_more_judgements_at_once_than_allowed(provider: str) -> None:
    with judge_stub(provider, Step("slow", "0.2")) as stub:

        async def run() -> list[Judgement]:
            async with Judges(stub.env, concurrency=2) as judges:
                return await asyncio.gather(
                    *(
                        judges.judge(settings(provider), query=str(q), context="c", response="r")
                        for q in range(6)
                    )
                )

        judgements = asyncio.run(run())
        assert len(judgements) == len(stub.requests) == 6
        assert stub.most_at_once == 2


def test_waiting_for_others_is_part_of_the_time_limit() -> None:
    with judge_stub("openai", Step("slow")) as stub:

        async def run() -> tuple[list[Judgement | BaseException], float]:
            async with Judges(stub.env, concurrency=1) as judges:
                await judges.open("openai")
                started = time.perf_counter()
                asked = (
                    judges.judge(settings("openai", limit), query="q", context="c", response="r")
                    for limit in (1200, 300)
                )
                failures = await asyncio.gather(*asked, return_exceptions=True)
                return failures, time.perf_counter() - started

        failures, took = asyncio.run(run())
        assert took < 3
        assert len(stub.requests) == 1
    assert [str(one) for one in failures] == [f"no answer within {n} ms" for n in (1200, 300)]


def test_a_judgement_is_asked_once_and_a_score_that_was_not_readable_again(
    provider: str, tmp_path: Path
) -> None:
    cache = SqliteCache(tmp_path / "cache.db")
    steps = (text("no idea"), text("0.7"), text("0.9"))
    with judge_stub(provider, *steps) as stub:

        async def run(response: str, model: str) -> Judgement:
            async with Judges(stub.env, cache=cache) as judges:
                return await judges.judge(
                    settings(provider, model=model), query="q", context="c", response=response
                )

        unread, first, again = (asyncio.run(run("r", "m")) for _ in range(3))
        other = asyncio.run(run("another", "m"))
        assert asyncio.run(run("another", "n")).cached is False
        assert len(stub.requests) == 4
    cache.close()
    assert (unread.parse_error, first.cached, again.cached) == (True, False, True)
    assert (again.score, again.cost, again.attempts) == (0.7, 0.0, 0)
    assert (other.score, other.cached) == (0.9, False)


def test_the_key_is_in_no_log(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), judge_stub(provider, status(500), text("2.5")) as stub:
        judged(stub)
    assert KEY not in caplog.text
    own = [record.getMessage() for record in caplog.records if record.name == "groundwire.judge"]
    assert len(own) == 2
    assert own[0].startswith(f"{provider} {MODELS[provider]}: score 1.000, ")
    assert own[0].endswith(" ms, attempts 2, tokens 400 + 9")
    assert own[1] == f"{provider}: the score lies beyond 0 to 1 and was clamped"


def test_an_unknown_provider_and_a_missing_client_are_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(JudgeError, match=r"^provider: value 'x': allowed: openai, anthropic"):
        make_provider("x", {})
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.delitem(sys.modules, "groundwire.judge.anthropic_provider", raising=False)
    with pytest.raises(JudgeError, match=r'pip install "groundwire\[judge\]"$'):
        make_provider("anthropic", {"ANTHROPIC_API_KEY": KEY})
