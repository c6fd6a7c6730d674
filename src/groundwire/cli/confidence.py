"""``groundwire confidence``: the confidence of answers by formula, judge, or both."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from groundwire.cli.admin_extra import server_extra_needed
from groundwire.cli.documents import Documents, decode
from groundwire.cli.options import Set, runtime_for
from groundwire.cli.sources import STDIN
from groundwire.confidence.formula import MODEL
from groundwire.config.calculation import METHODS, PROVIDERS
from groundwire.config.judge_models import priced_models
from groundwire.errors import FileError
from groundwire.judge.cache import SqliteCache
from groundwire.judge.judges import CONCURRENCY, Judges
from groundwire.judge.opinion import CACHE
from groundwire.render.confidence_text import confidence_text
from groundwire.render.prose import one_line
from groundwire.service.confidence import calculate, failed
from groundwire.service.confidence_methods import Calculation
from groundwire.service.confidence_setup import Setup, setup_for, with_document, with_values
from groundwire.state.paths import cache_folder

_Row = tuple[str, asyncio.Task[Calculation]]

File = Annotated[str, typer.Argument(metavar="[FILE|-]", help="One JSON document, or one a line.")]
Method = Annotated[str | None, typer.Option(metavar="|".join(METHODS), help="How to calculate.")]
Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A JSON document of settings; a part is enough."),
]
Environment = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Settings of development, uat, production or all: those of the admin database when "
        "there is one, else the shipped ones.",
    ),
]
Profile = Annotated[
    str, typer.Option(metavar="NAME", help="Another profile, such as development-claude.")
]
Database = Annotated[
    str, typer.Option("--db", metavar="URL", help="The admin database with the settings.")
]
Provider = Annotated[
    str | None, typer.Option(metavar="|".join(PROVIDERS), help="Whose model is the judge.")
]
Model = Annotated[str | None, typer.Option(metavar="NAME", help="The model that judges.")]
Timeout = Annotated[
    int | None, typer.Option(metavar="MS", help="Milliseconds for one judgement, at most.")
]
Jobs = Annotated[
    int, typer.Option(min=1, max=64, help="Judgements at the same time; results keep their order.")
]
Text = Annotated[bool, typer.Option("--text", help="Lines to read instead of JSON.")]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Ask the judge again what it was asked before.")
]


def confidence(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: File = STDIN,
    method: Method = None,
    config: Config = None,
    environment: Environment = "",
    profile: Profile = "",
    database: Database = "",
    provider: Provider = None,
    model: Model = None,
    timeout: Timeout = None,
    jobs: Jobs = CONCURRENCY,
    text: Text = False,
    no_cache: NoCache = False,
    set_: Set = None,
) -> None:
    """Calculate how far an answer is to be trusted, from its documents and by a judge.

    Reads {"query": ..., "context_text": ..., "context_docs": [{"similarity": 0.9}], "response":
    ...}. The judge is a language model; its key comes from OPENAI_API_KEY, ANTHROPIC_API_KEY or
    AZURE_OPENAI_API_KEY. Without its answer the formula counts, and the result says so.

    Examples:

        groundwire confidence answer.json

        groundwire confidence answers.jsonl --environment production

        groundwire confidence answer.json --method hybrid --provider anthropic --model MODEL
    """
    logging.getLogger("groundwire").addHandler(logging.NullHandler())  # results say it all
    with server_extra_needed():
        setup = setup_for(environment, profile, database, os.environ)
    prices = priced_models(dict(runtime_for(set_).settings.judge.prices))
    setup = setup.replace(models=(*setup.models, *prices))
    for warning in setup.warnings:
        _warn(warning)
    if config:
        setup = with_document(setup, config)
    setup = with_values(setup, _flags(method, provider, model, timeout), "flags")
    raise typer.Exit(asyncio.run(_run(file, setup, jobs, text=text, cached=not no_cache)))


def _flags(
    method: str | None, provider: str | None, model: str | None, timeout: int | None
) -> dict[str, Any]:
    judge = {"provider": provider, "model": model, "timeout_ms": timeout}
    given = {name: value for name, value in judge.items() if value is not None}
    flags: dict[str, Any] = {"llm_settings": given} if given else {}
    return flags if method is None else {**flags, "method": method}


async def _run(file: str, setup: Setup, jobs: int, *, text: bool, cached: bool) -> int:
    """Report every document in order, ``jobs`` calculated at a time; return the exit code."""
    waiting: asyncio.Queue[_Row | None] = asyncio.Queue(jobs)
    with _cache(wanted=cached and setup.config.method != MODEL) as cache:
        judges = Judges(os.environ, cache=cache, models=setup.models, concurrency=jobs)
        async with judges:
            reading = asyncio.create_task(_read(file, setup, judges, waiting))
            code = 0
            while (row := await waiting.get()) is not None:
                place, calculating = row
                code |= _report(place, await calculating, text=text)
            await reading
    return code


async def _read(
    file: str, setup: Setup, judges: Judges, waiting: asyncio.Queue[_Row | None]
) -> None:
    """Put a running calculation for each document into the queue, and None at the end.

    The input is read in a thread, so that calculations go on while a pipe is waited for.
    """
    rows = iter(Documents(file))
    try:
        while (row := await asyncio.to_thread(next, rows, None)) is not None:
            place, data = row
            await waiting.put((place, asyncio.create_task(_calculated(data, setup, judges))))
    finally:
        await waiting.put(None)


async def _calculated(data: bytes, setup: Setup, judges: Judges) -> Calculation:
    try:
        state: Any = decode(data)
    except ValueError as error:  # text that is not UTF-8 is one, too
        return failed(setup.config.method, f"{error}; allowed: one JSON object")
    return await calculate(state, setup.config, judges, setup.prompt)


def _report(place: str, calculation: Calculation, *, text: bool) -> int:
    """Print one result, tell on stderr what went wrong, and return the exit code."""
    if text:
        typer.echo(confidence_text(calculation.assessment, calculation.method))
    else:
        typer.echo(json.dumps(calculation.as_dict()))
    for warning in calculation.warnings:
        _warn(f"{place}: {warning}")
    if calculation.problem:
        _warn(f"{place}: {calculation.problem}; the formula is used")
    if calculation.error:
        print(f"groundwire: {place}: {one_line(calculation.error)}", file=sys.stderr)  # noqa: T201
    return int(bool(calculation.error))


@contextmanager
def _cache(*, wanted: bool) -> Iterator[SqliteCache | None]:
    """Give the cache of judgements; a cache that cannot be opened is told and done without."""
    folder = cache_folder(os.environ) if wanted else None
    if folder is None:
        yield None
        return
    try:
        cache = SqliteCache(Path(folder) / CACHE)
    except FileError as error:
        _warn(str(error))
        yield None
        return
    with closing(cache):
        yield cache


def _warn(text: str) -> None:
    print(f"groundwire: warning: {one_line(text)}", file=sys.stderr)  # noqa: T201
