"""``Judges``: one judgement from question to score, with limits, cache, tokens and cost."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from groundwire.base.errors import FileError
from groundwire.base.record import Record
from groundwire.settings.judge_models import JudgeModel, judge_models, judgement_cost
from groundwire_confidence.calculation import LLMConfidenceSettings
from groundwire_confidence.judge_score import parse_score
from groundwire_judge.cache import JudgementCache, cache_key
from groundwire_judge.prompt import SYSTEM, Prompt, Rendered, render
from groundwire_judge.protocol import Answer, Provider, Question, Tried, within
from groundwire_judge.providers import ADDRESSES, make_provider

LOG = logging.getLogger("groundwire_judge")
#: Judgements at the same time, unless told otherwise.
CONCURRENCY = 4


class Judgement(Record):
    """What a judge said of one answer, from 0 to 1, and what it took.

    ``raw_response`` is the reply as written; with ``parse_error`` it holds no score, and the value
    is 0.5. ``cost`` is in dollars, None when the model's price is not known; a cached judgement
    costs nothing. ``milliseconds`` is the time until it was there, waits included; ``key`` is the
    digest of the question, under which a cache keeps it.
    """

    score: float
    raw_response: str
    provider: str
    model: str
    prompt_version: int | None = None
    parse_error: bool = False
    clamped: bool = False
    truncated: tuple[str, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    milliseconds: float = 0.0
    attempts: int = 1
    cached: bool = False
    key: str = ""


class Judges:
    """The judges of one event loop: one client per provider, opened when first needed.

    An asynchronous context manager. ``env`` holds the keys; ``addresses`` go before those of the
    environment; ``models`` are those with prices of the user's own.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        cache: JudgementCache | None = None,
        models: Iterable[JudgeModel] = (),
        addresses: Mapping[str, str] | None = None,
        concurrency: int = CONCURRENCY,
    ) -> None:
        self._env = env
        self._cache = cache
        self._models = judge_models(models)
        self._addresses = dict(addresses or {})
        self._limit = asyncio.Semaphore(concurrency)
        self._opening = asyncio.Lock()
        self._providers: dict[str, Provider] = {}

    async def __aenter__(self) -> Self:
        """Return the judges themselves."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every client that was opened."""
        for provider in self._providers.values():
            await provider.close()
        self._providers.clear()

    @property
    def env(self) -> Mapping[str, str]:
        """The environment that holds the keys, and names the folders."""
        return self._env

    def use_prices(self, models: Iterable[JudgeModel]) -> None:
        """Take the prices of ``models`` from now on."""
        self._models = judge_models(models)

    def price(self, settings: LLMConfidenceSettings) -> float | None:
        """Return what a judgement costs in dollars; None where the price is not known."""
        model = self._models.get((settings.provider, settings.model))
        return model.estimate if model else None

    async def open(self, provider: str) -> None:
        """Import and make a provider's client ahead of its first question; raises JudgeError."""
        await self._provider(provider)

    async def judge(
        self,
        settings: LLMConfidenceSettings,
        *,
        query: str,
        context: str,
        response: str,
        prompt: Prompt | None = None,
    ) -> Judgement:
        """Judge ``response`` to ``query`` by ``context``; None means the fall-back prompt.

        Takes at most ``settings.timeout_ms``; only the first import of a client comes before.
        Raises JudgeError when there is no answer.
        """
        rendered = render(
            prompt,
            query,
            context,
            response,
            context_characters=settings.context_characters,
            response_characters=settings.response_characters,
        )
        question = Question(SYSTEM, rendered.text, settings)
        key = cache_key(question, self._address(settings.provider))
        kept = self._kept(key)
        if kept is not None:
            return _judgement(settings, rendered, Tried(kept, 0), 0.0, 0.0).replace(key=key)
        provider = await self._provider(settings.provider)
        started = time.perf_counter()
        tried = await within(settings.timeout_ms / 1000, lambda: self._ask(provider, question))
        milliseconds = (time.perf_counter() - started) * 1000
        answer = tried.answer
        model = self._models.get((settings.provider, settings.model))
        cost = judgement_cost(model, answer.input_tokens, answer.output_tokens)
        judgement = _judgement(settings, rendered, tried, milliseconds, cost).replace(key=key)
        if not judgement.parse_error:
            self._keep(key, answer)
        _tell(judgement)
        return judgement

    async def _ask(self, provider: Provider, question: Question) -> Answer:
        async with self._limit:
            return await provider.ask(question)

    async def _provider(self, name: str) -> Provider:
        """Return the provider's client; the first import may take a second, so in a thread."""
        async with self._opening:
            if name not in self._providers:
                address = self._addresses.get(name, "")
                self._providers[name] = await asyncio.to_thread(
                    make_provider, name, self._env, address
                )
        return self._providers[name]

    def _address(self, name: str) -> str:
        return self._addresses.get(name) or self._env.get(ADDRESSES[name], "")

    def _kept(self, key: str) -> Answer | None:
        """Return a kept answer; a cache that fails is told and passed over."""
        if self._cache is None:
            return None
        try:
            fields = self._cache.get(key)
        except FileError as error:
            LOG.warning("%s", error)
            return None
        return _kept_answer(fields) if fields else None

    def _keep(self, key: str, answer: Answer) -> None:
        if self._cache is None:
            return
        fields = {name: getattr(answer, name) for name in Answer._fields}
        try:
            self._cache.put(key, fields)
        except FileError as error:
            LOG.warning("%s", error)


def _kept_answer(fields: Mapping[str, Any]) -> Answer | None:
    text, model = fields.get("text"), fields.get("model")
    return Answer(text, model) if isinstance(text, str) and isinstance(model, str) else None


def _judgement(
    settings: LLMConfidenceSettings,
    rendered: Rendered,
    tried: Tried,
    milliseconds: float,
    cost: float | None,
) -> Judgement:
    answer = tried.answer
    parsed = parse_score(answer.text)
    return Judgement(
        parsed.score,
        answer.text,
        settings.provider,
        answer.model or settings.model,
        rendered.version,
        parsed.parse_error,
        parsed.clamped,
        rendered.truncated,
        answer.input_tokens,
        answer.output_tokens,
        cost,
        round(milliseconds, 1),
        tried.attempts,
        tried.attempts == 0,
    )


def _tell(judgement: Judgement) -> None:
    """Log what a judgement took; neither question nor reply, which may be confidential."""
    LOG.info(
        "%s %s: score %.3f, %.0f ms, attempts %d, tokens %s + %s",
        judgement.provider,
        judgement.model,
        judgement.score,
        judgement.milliseconds,
        judgement.attempts,
        judgement.input_tokens,
        judgement.output_tokens,
    )
    if judgement.parse_error:
        LOG.error("%s: the reply holds no score; 0.5 is used", judgement.provider)
    elif judgement.clamped:
        LOG.warning("%s: the score lies beyond 0 to 1 and was clamped", judgement.provider)
