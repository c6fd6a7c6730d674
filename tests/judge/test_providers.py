"""The official clients against servers on loopback that behave well, badly, or not at all."""

import asyncio
import json
import logging
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.errors import FileError
from groundwire.base.settings import Judge
from groundwire_confidence.calculation import LLMConfidenceSettings
from groundwire_judge import protocol as retry
from groundwire_judge.cache import SqliteCache, cache_key
from groundwire_judge.judges import Judgement, Judges
from groundwire_judge.limits import settle, take
from groundwire_judge.prompt import FALLBACK, SHIPPED, SYSTEM, Prompt, missing_variables, render
from groundwire_judge.protocol import ATTEMPTS, Answer, JudgeError, Question, Sampling, within
from groundwire_judge.providers import make_provider
from tests.support.console import part
from tests.support.judge_stub import KEY, MODELS, Step, Stub, judge_stub, status, structured, text
from tests.support.tables import table, tables

TABLES = tables(__file__)


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


@pytest.fixture(params=MODELS)
def provider(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def outcome(stub: Stub, **more: Any) -> dict[str, Any]:
    """Return what a judgement holds, or its refusal, and the number of requests."""
    try:
        judgement = judged(stub, **more)
    except JudgeError as error:
        found: dict[str, Any] = {"refused": str(error), "retry": error.retry}
    else:
        found = {name: getattr(judgement, name) for name in Judgement._fields}
    return {**found, "requests": len(stub.requests)}


@table
def test_a_structured_answer_is_a_judgement_with_tokens_and_cost(
    provider: str, path: str, cost: float, body: dict[str, Any]
) -> None:
    with judge_stub(provider, structured(0.82)) as stub:
        found = outcome(stub, temperature=0.3, max_tokens=77)
    wanted = {**TABLES["judgement"], "provider": provider, "model": MODELS[provider]}
    assert part(found, wanted) == wanted
    assert found["cost"] == pytest.approx(cost)
    assert found["milliseconds"] > 0
    [request] = stub.requests
    assert request.path == path
    sent = json.loads(json.dumps(body).replace('"SYSTEM"', json.dumps(SYSTEM)))
    assert part(request.body, sent) == sent
    assert any(KEY in value for value in request.headers.values())
    assert KEY not in str(request.body)


@table
def test_what_a_reply_comes_to(
    steps: list[list[Any]], wanted: dict[str, Any], more: dict[str, Any], provider: str
) -> None:
    with judge_stub(provider, *[Step(*step) for step in steps]) as stub:
        found = outcome(stub, **(more or {}))
    wanted = json.loads(json.dumps(wanted).replace("PROVIDER", provider))
    assert part(found, wanted) == wanted


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_told_before_anything_is_sent(provider: str, value: str | None) -> None:
    with judge_stub(provider, structured(0.6)) as stub:
        [name] = [name for name in stub.env if name.endswith("_API_KEY")]
        env = {key: one for key, one in {**stub.env, name: value}.items() if one is not None}
        found = outcome(stub, env=env)
    assert found["refused"].startswith(f"{provider}: {name} is not set")
    assert found["requests"] == 0


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
    own = [record.getMessage() for record in caplog.records if record.name == "groundwire_judge"]
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
    monkeypatch.delitem(sys.modules, "groundwire_judge.anthropic_provider", raising=False)
    with pytest.raises(JudgeError, match=r'pip install "groundwire\[judge\]"$'):
        make_provider("anthropic", {"ANTHROPIC_API_KEY": KEY})


def test_a_key_goes_to_no_host_that_it_was_not_set_for() -> None:
    async def ask(env: dict[str, str], address: str) -> None:
        provider = make_provider("openai", env, address)
        await provider.ask(Question("", "", Sampling("openai", MODELS["openai"], 0.0, 9)))
        await provider.close()

    with judge_stub("openai", structured(0.5)) as stub:
        for env in (stub.env, {"OPENAI_API_KEY": KEY}):
            asyncio.run(ask(env, stub.address))
    assert [KEY in str(request.headers) for request in stub.requests] == [True, False]
    with pytest.raises(JudgeError, match=r"for https://x\.example: set ANTHROPIC_BASE_URL to that"):
        make_provider("anthropic", {"ANTHROPIC_API_KEY": KEY}, "https://x.example")


def test_waits_grow_and_none_is_begun_that_is_longer_than_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def ask(wait: float | None = None) -> Answer:
        raise JudgeError("busy", retry=True, wait=wait)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(JudgeError, match=r"^busy \(4 attempts\)$"):
        asyncio.run(within(30, ask))
    assert len(waits) == ATTEMPTS - 1
    assert waits[0] >= 0.75 * retry.FIRST_WAIT
    assert waits[2] > waits[0] * 2
    with pytest.raises(JudgeError, match=r"^busy$"):
        asyncio.run(within(1.0, lambda: ask(2.0)))
    assert len(waits) == ATTEMPTS - 1


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


@table
def test_limits_of_calls(
    calls_per_day: int, file: str, steps: list[list[Any]], tmp_path: Path
) -> None:
    """Each step asks some seconds later, and says how that ends where it is not refused."""
    folder, judge = tmp_path / "state", Judge(calls_per_day=calls_per_day)
    if file != "<none>":
        folder.mkdir()
        (folder / "judge.json").write_text(file)
    for seconds, refusal, said, *problem in steps:
        gate = take(str(folder), judge, NOW + seconds)
        told = settle(str(folder), NOW + seconds, problem=problem[0]) if problem else gate.text
        assert (gate.refusal, part(told, said)) == (refusal, said)


@table
def test_context_and_response_are_cut_and_it_is_told(
    lengths: list[int], cut: list[str], left: list[int], more: dict[str, int]
) -> None:
    """Each text is one letter again and again, as often as ``left`` says in the end."""
    query, context, response = (one * length for one, length in zip("äöü", lengths, strict=True))
    rendered = render(SHIPPED, query, context, response, **(more or {}))
    assert list(rendered.truncated) == cut
    assert [rendered.text.count(one) for one in "äöü"] == left


@table
def test_what_a_prompt_does_not_mention_is_appended(content: str, missing: list[str]) -> None:
    """The fall-back prompt, which is no version of any prompt, mentions nothing."""
    prompt = None if content == "FALLBACK" else Prompt(content, 3)
    rendered = render(prompt, "the query", "the context", "the response")
    assert [*rendered.appended] == [*missing_variables(content)] == missing
    assert rendered.version == (prompt and 3)
    assert prompt or rendered.text.startswith(FALLBACK)
    assert "{query}" not in rendered.text
    for name in missing:
        assert rendered.text.count(f"<{name}>\nthe {name}\n</{name}>") == 1
    if missing:
        assert rendered.text.endswith("Return ONLY a number between 0 and 1.")


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
