"""The official clients against servers on loopback that behave well, badly, or not at all."""

import asyncio
import itertools
import json
import logging
import stat
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.config.calculation import LLMConfidenceSettings
from groundwire.errors import FileError
from groundwire.judge import retry
from groundwire.judge.cache import SqliteCache, cache_key
from groundwire.judge.judges import Judgement, Judges
from groundwire.judge.limits import FAILURES, OFF_SECONDS, settle, take
from groundwire.judge.prompt import (
    FALLBACK,
    SHIPPED,
    SYSTEM,
    VARIABLES,
    Prompt,
    missing_variables,
    render,
)
from groundwire.judge.protocol import Answer, JudgeError, Question
from groundwire.judge.providers import make_provider
from groundwire.judge.retry import ATTEMPTS, within
from groundwire.settings import Judge
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


def asked(stub: Stub, *queries: str, **more: Any) -> list[Judgement]:
    """Ask about an answer once for each query; ``env`` and ``cache`` may be other ones."""
    env, cache, timeout_ms = more.pop("env", stub.env), more.pop("cache", None), 5000
    choice = settings(stub.provider, more.pop("timeout_ms", timeout_ms), **more)

    async def run() -> list[Judgement]:
        async with Judges(env, cache=cache) as judges:
            return [
                await judges.judge(
                    choice,
                    query=query,
                    context="The server listens on 8080.",
                    response="8080.",
                    prompt=SHIPPED,
                )
                for query in queries
            ]

    return asyncio.run(run())


def judged(stub: Stub, **more: Any) -> Judgement:
    [judgement] = asked(stub, "Which port?", **more)
    return judgement


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_a_structured_answer_is_a_judgement_with_tokens_and_cost(provider: str) -> None:
    with judge_stub(provider, structured(0.82)) as stub:
        judgement = judged(stub, temperature=0.3, max_tokens=77)
    assert (judgement.score, judgement.parse_error, judgement.clamped) == (0.82, False, False)
    assert (judgement.provider, judgement.model) == (provider, MODELS[provider])
    assert (judgement.input_tokens, judgement.output_tokens) == (400, 9)
    by_tokens = (400 * 0.25 + 9 * 1.25) / 1_000_000
    assert judgement.cost == pytest.approx(by_tokens if provider == "anthropic" else 0.0002)
    assert (judgement.attempts, judgement.cached, judgement.prompt_version) == (1, False, 1)
    assert judgement.milliseconds > 0
    [request] = stub.requests
    body = request.body
    assert body["model"] == MODELS[provider]
    assert (body["temperature"], body["max_tokens"]) == (0.3, 77)
    content = body["messages"][-1]["content"]
    assert "Which port?" in content
    assert "The server listens on 8080." in content
    assert any(KEY in value for value in request.headers.values())
    assert KEY not in str(body)
    if provider == "anthropic":
        system = body["system"]
        assert body["tool_choice"] == {"type": "tool", "name": "report_confidence"}
    else:
        assert body["messages"][0]["role"] == "system"
        system = body["messages"][0]["content"]
        assert body["response_format"]["json_schema"]["strict"] is True
    assert system == SYSTEM
    assert (
        request.path
        == {
            "anthropic": "/v1/messages",
            "openai": "/v1/chat/completions",
            "azure": "/openai/deployments/gpt-4o-mini/chat/completions?api-version=2024-10-21",
        }[provider]
    )


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


@table
def test_a_reply_of_another_kind_is_an_error_and_no_crash(raw: str, provider: str) -> None:
    with judge_stub(provider, Step("raw", raw)) as stub, pytest.raises(JudgeError) as caught:
        judged(stub)
    assert str(caught.value).startswith(f"{provider}: ")
    assert not caught.value.retry
    assert len(stub.requests) == 1


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


def test_a_dropped_connection_is_tried_again(provider: str) -> None:
    with judge_stub(provider, Step("drop"), structured(0.6)) as stub:
        judgement = judged(stub)
    assert (judgement.score, judgement.attempts) == (0.6, 2)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_told_before_anything_is_sent(provider: str, value: str | None) -> None:
    with judge_stub(provider, structured(0.6)) as stub:
        [name] = [name for name in stub.env if name.endswith("_API_KEY")]
        env = {key: one for key, one in stub.env.items() if key != name}
        with pytest.raises(JudgeError, match=rf"^{provider}: {name} is not set"):
            judged(stub, env=env if value is None else {**env, name: value})
        assert stub.requests == []


@table
def test_what_a_model_refuses_is_left_out_from_then_on(
    provider: str, message: str, gone: str
) -> None:
    with judge_stub(provider, status(400, message), text("0.7"), text("0.6")) as stub:
        first, second = asked(stub, "one", "two")
    assert (first.score, second.score, first.attempts) == (0.7, 0.6, 1)
    assert gone in stub.requests[0].body
    assert [gone in request.body for request in stub.requests[1:]] == [False, False]
    if gone == "max_tokens":
        assert stub.requests[1].body["max_completion_tokens"] == 100


def test_a_judgement_is_asked_once_and_a_score_that_was_not_readable_again(
    provider: str, tmp_path: Path
) -> None:
    path = tmp_path / "judge" / "cache.db"
    cache = SqliteCache(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with judge_stub(provider, text("no idea"), text("0.7"), text("0.9")) as stub:
        unread, first, again, other = asked(stub, "q", "q", "q", "another", cache=cache)
        assert judged(stub, cache=cache, model="n").cached is False
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


def test_waits_grow_and_a_limit_ends_them() -> None:
    at: list[float] = []

    async def ask() -> Answer:
        at.append(time.perf_counter())
        raise JudgeError("not yet", retry=True)

    with pytest.raises(JudgeError, match=r"^not yet \(4 attempts\)$"):
        asyncio.run(within(30, ask))
    waits = [later - before for before, later in itertools.pairwise(at)]
    assert len(at) == ATTEMPTS
    assert waits[0] >= 0.75 * retry.FIRST_WAIT
    assert waits[2] > waits[0] * 2


def test_a_wait_longer_than_what_is_left_is_not_begun() -> None:
    attempts = 0

    async def ask() -> Answer:
        nonlocal attempts
        attempts += 1
        raise JudgeError("busy", retry=True, wait=2.0)

    started = time.perf_counter()
    with pytest.raises(JudgeError, match=r"^busy$"):
        asyncio.run(within(1.0, ask))
    assert time.perf_counter() - started < 1
    assert attempts == 1


BASE = Question("system", "content", LLMConfidenceSettings())


def test_the_key_depends_on_what_the_answer_depends_on() -> None:
    def asked_with(**values: Any) -> Question:
        return BASE.replace(settings=LLMConfidenceSettings(**values))

    others = [asked_with(model="gpt-4"), asked_with(provider="azure"), asked_with(max_tokens=50)]
    others += [asked_with(temperature=0.2), BASE.replace(content="content ")]
    others += [BASE, BASE.replace(system="systemc", content="ontent")]
    keys = {cache_key(BASE, "http://127.0.0.1:1"), *map(cache_key, others)}
    assert len(keys) == 8
    assert cache_key(asked_with(timeout_ms=1)) == cache_key(BASE)


def test_a_file_that_is_no_cache_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    path.write_bytes(b"this is no database, and longer than a header of one " * 20)
    with pytest.raises(FileError, match=r"cache\.db: no cache of judgements: "):
        SqliteCache(path)
    with pytest.raises(FileError, match="no cache of judgements"):
        SqliteCache(tmp_path)


NOW = 1_800_000_000.0
DAY = 86_400.0


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def test_calls_of_a_day_end_at_the_limit_and_begin_again_tomorrow(folder: str) -> None:
    judge = Judge(calls_per_day=2)
    for _ in range(2):
        assert take(folder, judge, NOW).refusal == ""
        assert settle(folder, NOW) == ""
    refused = [take(folder, judge, NOW) for _ in range(2)]
    assert [one.refusal for one in refused] == ["calls_per_day is reached"] * 2
    assert [bool(one.text) for one in refused] == [True, False]
    assert take(folder, judge, NOW + DAY).refusal == ""


def test_failures_in_a_row_and_none_of_them_forgiven_by_the_day(folder: str) -> None:
    judge = Judge()
    told = []
    for _ in range(FAILURES):
        assert take(folder, judge, NOW).refusal == ""
        told.append(settle(folder, NOW, problem="no answer"))
    assert [bool(one) for one in told] == [False, False, True]
    assert "no answer" in told[2]
    assert take(folder, judge, NOW + OFF_SECONDS - 1).refusal
    assert take(folder, judge, NOW + OFF_SECONDS).refusal == ""


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"day": 1}', json.dumps(3).encode()])
def test_a_damaged_file_is_a_new_one(folder: str, content: bytes) -> None:
    path = Path(folder) / "judge.json"
    path.parent.mkdir()
    path.write_bytes(content)
    assert take(folder, Judge(), NOW).refusal == ""
    assert json.loads(path.read_bytes())["calls"] == 1


def test_context_and_response_are_cut_and_it_is_told() -> None:
    rendered = render(SHIPPED, "q" * 5000, "c" * 1001, "r" * 501)
    assert rendered.truncated == ("context", "response")
    assert "<context>\n" + "c" * 1000 + "\n</context>" in rendered.text
    assert "<response>\n" + "r" * 500 + "\n</response>" in rendered.text
    assert "q" * 5000 in rendered.text
    whole = render(SHIPPED, "q", "c" * 1000, "r" * 500)
    assert whole.truncated == ()
    other = render(SHIPPED, "q", "ccc", "rrr", context_characters=0, response_characters=2)
    assert other.truncated == ("context", "response")


@table
def test_what_a_prompt_does_not_mention_is_appended(content: str, missing: list[str]) -> None:
    rendered = render(Prompt(content), "the question", "the context", "the response")
    assert [*rendered.appended] == [*missing_variables(content)] == missing
    assert "{query}" not in rendered.text
    for name in missing:
        marked = f"<{name}>\nthe {'question' if name == 'query' else name}\n</{name}>"
        assert rendered.text.count(marked) == 1
    if missing:
        assert rendered.text.endswith("Return ONLY a number between 0 and 1.")


def test_the_fall_back_prompt_shows_the_judge_what_it_judges() -> None:
    rendered = render(None, "a question", "a context", "a response")
    assert rendered.text.startswith(FALLBACK)
    assert rendered.appended == VARIABLES
    assert rendered.version is None
    assert all(f"\na {name}\n" in rendered.text for name in ("question", "context", "response"))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_every_value_is_in_the_prompt_once_for_each_place(
    content: str, query: str, context: str, response: str
) -> None:
    rendered = render(
        Prompt(content + "{query}|{context}|{response}"),
        query,
        context,
        response,
        context_characters=len(context),
        response_characters=len(response),
    )
    assert rendered.text.endswith(f"{query}|{context}|{response}")
    assert rendered.truncated == ()
