"""Scoring an answer with a stored configuration: to try one, and for a chat (R002-27)."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import func, select

from groundwire.base.digest import digest_parts
from groundwire.base.errors import NotFoundError, StoreError
from groundwire.base.record import Record
from groundwire.hook.log_record import EVIDENCE_CHARACTERS
from groundwire.hook.sources import ENVIRONMENT
from groundwire.language.secrets import masked
from groundwire.settings.choices import ALL, KEY
from groundwire_confidence.formula import LLM
from groundwire_confidence.formula import MODEL as FORMULA
from groundwire_judge.calculate import Setup, calculate, with_values
from groundwire_judge.judges import Judges
from groundwire_judge.methods import Calculation, shadow_scores
from groundwire_judge.prompt import Prompt
from groundwire_server.admin.service.comparison import SHADOW
from groundwire_server.admin.service.configuration import Configurations
from groundwire_server.admin.service.experiment import Experiment, session_name
from groundwire_server.admin.service.models import Models
from groundwire_server.admin.service.prompts import Prompts, count_use
from groundwire_server.admin.service.reading import present_settings
from groundwire_server.admin.service.scored import (
    JudgementView,
    ScoredView,
    SpentView,
    judgement_columns,
    scored_view,
)
from groundwire_server.admin.service.view import viewed
from groundwire_server.admin.store import feedback
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.feedback import DatabaseCache
from groundwire_server.admin.store.history import now
from groundwire_server.admin.store.log_rows import clean
from groundwire_server.admin.store.tables import Judgement

LOG = logging.getLogger("groundwire.admin")
#: What is scored when a chat brings no response (A002-17): there is no model here that answers.
CANNED = "No response was given. This endpoint scores responses, it does not write them."
CHAT, SAMPLE = "chat", "sample"
_LONGEST = 1_000_000
_MILLISECONDS = 1000


class _Meant(NamedTuple):
    """What a score is kept for."""

    purpose: str
    environment: str
    session: str


class Answer(Record):
    """What is scored: a response to a query, and the documents that it was made from.

    ``context_docs`` are objects with a similarity and, if the judge is to see them, their content;
    without ``context_text`` their contents are the context.
    """

    query: str = ""
    response: str = CANNED
    context_docs: Sequence[Mapping[str, Any]] = ()
    context_text: str = ""


class Samples:
    """Scores answers and keeps what came out. The coroutines belong to one event loop.

    They raise StoreError, NotFoundError and ConfigError before anything is scored; what goes wrong
    while scoring is in the result.
    """

    def __init__(self, store: Store, env: Mapping[str, str], experiment: Experiment) -> None:
        self._store = store
        self._configurations = Configurations(store)
        self._prompts = Prompts(store)
        self._models = Models(store)
        self._experiment = experiment
        self._env = env
        self._judges: Judges | None = None
        self._shadows: set[asyncio.Task[None]] = set()

    async def try_out(
        self,
        answer: Answer,
        *,
        changes: Mapping[str, Any] | None = None,
        environment: str = "",
        profile: str = "",
        prompt: str = "",
        session_id: str = "",
    ) -> ScoredView:
        """Score a sample by a configuration, with ``changes`` that nobody has saved yet.

        ``changes`` is a part of what is below ``confidence_calculation``; ``prompt`` is a text in
        place of the active version. ``session_id`` is kept with the score and changes nothing.
        """
        environment = self._environment(environment)
        setup = await self._setup(environment, profile)
        setup = with_values(setup, changes or {}, KEY, "unsaved changes")
        text = Prompt(prompt) if prompt else await asyncio.to_thread(self._current_prompt)
        meant = _Meant(SAMPLE, environment, session_name(session_id))
        return await self._score(answer, setup, text, meant)

    async def chat(
        self, answer: Answer, session_id: str, *, environment: str = "", profile: str = ""
    ) -> ScoredView:
        """Score the response of a chat by the environment's configuration (A002-17).

        While the A/B test runs, the method is that of the session's group.
        """
        meant = _Meant(CHAT, self._environment(environment), session_name(session_id))
        setup = await self._setup(meant.environment, profile)
        group = await asyncio.to_thread(self._experiment.method_of, meant.session)
        if group:
            setup = with_values(setup, {"method": group}, "A/B group")
        text = await asyncio.to_thread(self._current_prompt)
        shares = await asyncio.to_thread(self._experiment.shares)
        return await self._score(answer, setup, text, meant, shadow=shares.shadow)

    def recent(
        self, *, limit: int = 50, below: int | None = None, purpose: str = "", who: str = ""
    ) -> list[JudgementView]:
        """Return calculated confidences, the newest first, with the votes of ``who``."""
        query = select(Judgement).order_by(Judgement.id.desc()).limit(limit)
        if below is not None:
            query = query.where(Judgement.id < below)
        if purpose:
            query = query.where(Judgement.purpose == purpose)
        with self._store.read() as session:
            rows = session.scalars(query).all()
            votes = feedback.votes(session, feedback.OF_JUDGEMENT, [row.id for row in rows], who)
            return [viewed(JudgementView, row, vote=votes.get(row.id)) for row in rows]

    def spent(self) -> list[SpentView]:
        """Return what all judgements took, by method, provider and model."""
        columns = (Judgement.method, Judgement.provider, Judgement.model)
        sums = (
            func.count().label("judgements"),
            func.coalesce(func.sum(Judgement.input_tokens), 0).label("input_tokens"),
            func.coalesce(func.sum(Judgement.output_tokens), 0).label("output_tokens"),
            func.sum(Judgement.cost).label("cost"),
        )
        query = select(*columns, *sums).group_by(*columns).order_by(*columns)
        with self._store.read() as session:
            return [SpentView.model_validate(row) for row in session.execute(query)]

    def vote(self, number: int, vote: int, *, who: str, note: str = "") -> None:
        """Keep whether the answer behind a judgement was right (1) or wrong (-1); 0 takes it back.

        Raises NotFoundError.
        """
        with self._store.write() as session:
            if session.get(Judgement, number) is None:
                raise NotFoundError(f"judgement: {number}: does not exist")
            feedback.keep_vote(session, feedback.OF_JUDGEMENT, number, vote, who, note)

    async def close(self) -> None:
        """Close the connections to the judges, once the shadow scores are kept."""
        if self._shadows:
            await asyncio.wait(self._shadows)
        if self._judges is not None:
            await self._judges.__aexit__(None, None, None)
            self._judges = None

    async def _score(
        self,
        answer: Answer,
        setup: Setup,
        prompt: Prompt | None,
        meant: _Meant,
        shadow: int = 0,
    ) -> ScoredView:
        """Score an answer; ``shadow`` percent of them by all methods, behind the result."""
        if self._judges is None:
            self._judges = Judges(self._env, cache=DatabaseCache(self._store))
        state = {
            "query": answer.query,
            "response": answer.response,
            "context_docs": list(answer.context_docs),
            "context_text": answer.context_text or _contents(answer.context_docs),
        }
        self._judges.use_prices((await asyncio.to_thread(self._models.known)).values())
        started = time.perf_counter()
        calculation = await calculate(state, setup.config, self._judges, prompt)
        milliseconds = (time.perf_counter() - started) * _MILLISECONDS
        calculation = calculation.replace(used=setup.used)
        view = await asyncio.to_thread(self._keep, calculation, state, setup, milliseconds, meant)
        number = view.judgement_id
        if number is not None and not calculation.error and int(_digest(state), 16) % 100 < shadow:
            task = asyncio.create_task(self._shadow(number, calculation, state, setup, prompt))
            self._shadows.add(task)
            task.add_done_callback(self._shadows.discard)
        return view

    async def _shadow(
        self,
        number: int,
        calculation: Calculation,
        state: Mapping[str, Any],
        setup: Setup,
        prompt: Prompt | None,
    ) -> None:
        """Keep the scores of all methods with what was served; trouble is in the log alone."""
        judges = cast(Judges, self._judges)
        found = await shadow_scores(calculation, state, setup.config, judges, prompt)
        if found is None:
            return
        scores, said = found
        own = calculation.judgement is None
        took = {"cost": said.cost, "milliseconds": said.milliseconds} if own else {}

        def keep() -> None:
            with self._store.write() as db:
                row = db.get_one(Judgement, number)
                row.breakdown = {**row.breakdown, SHADOW: {**scores, **took}}
                row.formula_score, row.llm_score = scores[FORMULA], scores[LLM]

        try:
            await asyncio.to_thread(keep)
        except StoreError as error:
            LOG.error("shadow scores were not kept: %s", error)

    def _keep(
        self,
        calculation: Calculation,
        state: Mapping[str, Any],
        setup: Setup,
        milliseconds: float,
        meant: _Meant,
    ) -> ScoredView:
        """Keep a result and return it; one that cannot be kept is returned with a warning."""
        number, told, config = None, list(setup.warnings), setup.config
        cost = calculation.judgement.cost if calculation.judgement else 0.0
        try:
            columns = judgement_columns(calculation, config, cost, milliseconds)
            retained = present_settings(self._env).log.retain_answers
            for name in ("query", "response"):
                text = str(state[name])
                columns[name] = clean(text if retained else _beginning(text), _LONGEST)
            with self._store.write() as db:
                columns |= {"at": now(), "content_hash": _digest(state), **meant._asdict()}
                row = Judgement(**columns)
                db.add(row)
                db.flush()
                number = row.id
                version = columns["prompt_version"]
                if version is not None:
                    count_use(db, version)
        except StoreError as error:
            LOG.error("a judgement was not kept: %s", error)
            told.append("the result was not kept: the database fails")
        return scored_view(calculation, cost, milliseconds, number, told)

    def _environment(self, name: str) -> str:
        return (name or self._env.get(ENVIRONMENT) or ALL).lower()

    async def _setup(self, environment: str, profile: str) -> Setup:
        return await asyncio.to_thread(self._configurations.setup, environment, profile)

    def _current_prompt(self) -> Prompt | None:
        try:
            return self._prompts.current()
        except NotFoundError:  # the judge has a text of its own to fall back to
            return None


def _contents(docs: Sequence[Mapping[str, Any]]) -> str:
    """Return what documents hold, one after the other."""
    texts = (doc.get("content") or doc.get("text") for doc in docs)
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _beginning(text: str) -> str:
    """Return what is kept of a text that is not retained: as of evidence in the decision log."""
    text = masked(text)
    cut = text[: EVIDENCE_CHARACTERS - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return text if len(text) <= EVIDENCE_CHARACTERS else cut


def _digest(state: Mapping[str, Any]) -> str:
    return digest_parts([json.dumps(state, sort_keys=True, default=str)])
