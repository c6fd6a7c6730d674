"""One request about a turn: from its digest to what a judge says of the statements.

``ask_turn`` does it in this process. The hook sends a plain request to a process of its own
(``turn_main.py``), so that it loads no client itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.base.errors import FileError
from groundwire.base.paths import cache_folder
from groundwire_judge.answer import NAME, SCHEMA, Answer, read_answer
from groundwire_judge.cache import CACHE, SqliteCache, cache_key
from groundwire_judge.limits import alone
from groundwire_judge.prices import dollars
from groundwire_judge.protocol import Answer as Reply
from groundwire_judge.protocol import Form, JudgeError, Question, Sampling, within
from groundwire_judge.providers import ADDRESSES, make_provider
from groundwire_judge.request import turn_request

if TYPE_CHECKING:
    from groundwire.base.settings import Judge
    from groundwire.turn.page import TurnDigest

FORM = Form(NAME, "Reports the statements that would be challenged.", SCHEMA)
#: Enough for forty statements, and for models that think before they write.
_MOST_TOKENS = 4_000
#: Seconds at the end of the time that are left for writing the answer.
_RESERVE = 0.2


def ask_turn(digest: TurnDigest, settings: Judge, env: Mapping[str, str]) -> Answer:
    """Return what the judge of ``settings`` says of a turn; never raises for what fails.

    Takes at most ``settings.budget_ms``. Keys, addresses and the folder of the cache come from
    ``env``. Not to be called where an event loop runs.
    """
    return answered(turn_request(digest, settings), env, time.monotonic())


def answered(request: Mapping[str, Any], env: Mapping[str, str], started: float) -> Answer:
    """Return the answer to a request of ``turn_request``; its time runs from ``started``."""
    try:
        return asyncio.run(_answered(request, env, started)).replace(
            provider=request["provider"], prompt_version=request["prompt_version"]
        )
    except JudgeError as error:
        return Answer(problem=str(error))


async def _answered(request: Mapping[str, Any], env: Mapping[str, str], started: float) -> Answer:
    name, base_url = request["provider"], request["base_url"]
    sampling = Sampling(name, request["model"], 0.0, _MOST_TOKENS)
    question = Question(request["system"], request["content"], sampling, FORM)
    address = base_url or env.get(ADDRESSES.get(name, ""), "")
    key = cache_key(question, address)
    cache = _cache(env)
    try:
        deadline = started + request["budget_ms"] / 1000 - _RESERVE
        async with alone(cache_folder(env), key, deadline):
            _keep_question(cache, key, request)
            kept = _kept_reply(cache, key)  # another copy of the hook may have asked meanwhile
            if kept is not None:
                return _read_reply(kept, request).replace(cost=0.0, cached=True, asked=key)
            reply = await _reply(question, base_url, env, deadline)
            answer = _read_reply(reply, request)
            if not answer.problem:
                _keep_reply(cache, key, reply)
    finally:
        if cache:
            cache.close()
    spent = round((time.monotonic() - started) * 1000, 1)
    return answer.replace(cost=_cost(reply, request), milliseconds=spent, asked=key)


async def _reply(
    question: Question, base_url: str, env: Mapping[str, str], deadline: float
) -> Reply:
    """Ask once, with further attempts as long as there is time; raises JudgeError."""
    provider = make_provider(question.settings.provider, env, base_url)
    try:
        left = deadline - time.monotonic()
        if left <= 0:
            raise JudgeError("no time was left for an answer")
        return (await within(left, lambda: provider.ask(question))).answer
    finally:
        await provider.close()


def _read_reply(reply: Reply, request: Mapping[str, Any]) -> Answer:
    answer = read_answer(reply.text, frozenset(request["numbers"]), request["calls"])
    return answer.replace(
        model=reply.model or request["model"],
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
    )


def _cost(reply: Reply, request: Mapping[str, Any]) -> float | None:
    """Return the dollars of a reply: as the settings say, as the client says, or by its tokens."""
    name = (request["provider"], request["model"])
    own = request["prices"].get("/".join(name))
    if own is not None:
        return float(own)
    if reply.cost is not None or reply.input_tokens is None or reply.output_tokens is None:
        return reply.cost
    return dollars(*name, reply.input_tokens, reply.output_tokens)


def _cache(env: Mapping[str, str]) -> SqliteCache | None:
    """Return the cache of answers; without one every turn is asked about."""
    folder = cache_folder(env)
    try:
        return SqliteCache(Path(folder) / CACHE) if folder else None
    except FileError:
        return None


def _kept_reply(cache: SqliteCache | None, key: str) -> Reply | None:
    try:
        fields = cache.get(key) if cache else None
    except FileError:
        return None
    text, model = (fields or {}).get("text"), (fields or {}).get("model")
    return Reply(text, model) if isinstance(text, str) and isinstance(model, str) else None


def _keep_question(cache: SqliteCache | None, key: str, request: Mapping[str, Any]) -> None:
    """Keep the digest for whoever looks at the decision later, as many as the settings say."""
    try:
        if cache and request["keep"] >= 0:
            cache.keep_question(key, request["content"], request["keep"])
    except FileError:
        return  # then the decision is shown without it


def _keep_reply(cache: SqliteCache | None, key: str, reply: Reply) -> None:
    try:
        if cache:
            cache.put(key, {"text": reply.text, "model": reply.model})
    except FileError:
        return  # it is asked again
