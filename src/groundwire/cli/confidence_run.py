"""Calculating the confidence of many answers at once, and reporting them in their order.

Apart from the command, because the event loop and the clients' ground cost other commands time.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import typer

from groundwire.cli.documents import Documents, decode
from groundwire.confidence.formula.formula import MODEL
from groundwire.confidence.formula.methods import Calculation
from groundwire.confidence.formula.service import calculate, failed
from groundwire.confidence.formula.setup import Setup
from groundwire.errors import FileError
from groundwire.judge.cache import CACHE, SqliteCache
from groundwire.judge.judges import Judges
from groundwire.render.confidence_text import confidence_text
from groundwire.render.prose import one_line
from groundwire.state.paths import cache_folder

_Row = tuple[str, asyncio.Task[Calculation]]


def run(file: str, setup: Setup, jobs: int, *, text: bool, cached: bool) -> int:
    """Report every document of ``file``; return the exit code. Raises EventError."""
    logging.getLogger("groundwire").addHandler(logging.NullHandler())  # results say it all
    return asyncio.run(_run(file, setup, jobs, text=text, cached=cached))


def warn(text: str) -> None:
    """Tell a warning on standard error."""
    print(f"groundwire: warning: {one_line(text)}", file=sys.stderr)  # noqa: T201


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
        warn(f"{place}: {warning}")
    if calculation.problem:
        warn(f"{place}: {calculation.problem}; the formula is used")
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
        warn(str(error))
        yield None
        return
    with closing(cache):
        yield cache
