"""Calculating the confidence of many answers at once, and reporting them in their order.

Apart from the command, because the event loop and the clients' ground cost other commands time.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import typer

from groundwire.cli.documents import Documents, decode
from groundwire.confidence.formula.formula import MODEL
from groundwire.confidence.formula.methods import Calculation
from groundwire.confidence.formula.service import calculate, failed, state_environment
from groundwire.confidence.formula.setup import Setup
from groundwire.errors import FileError
from groundwire.judge.cache import CACHE, SqliteCache
from groundwire.judge.judges import Judges
from groundwire.render.confidence_text import confidence_text
from groundwire.render.prose import one_line
from groundwire.state.paths import cache_folder

_Row = tuple[str, asyncio.Task[Calculation]]
SetupOf = Callable[[str], Setup]


def run(file: str, setup_of: SetupOf, jobs: int, *, text: bool, cached: bool) -> int:
    """Report every document of ``file``, by the setup of the environment that it names.

    Returns the exit code; raises EventError.
    """
    logging.getLogger("groundwire").addHandler(logging.NullHandler())  # results say it all
    return asyncio.run(_run(file, setup_of, jobs, text=text, cached=cached))


def warn(text: str) -> None:
    """Tell a warning on standard error."""
    print(f"groundwire: warning: {one_line(text)}", file=sys.stderr)  # noqa: T201


async def _run(file: str, setup_of: SetupOf, jobs: int, *, text: bool, cached: bool) -> int:
    """Report every document in order, ``jobs`` calculated at a time; return the exit code."""
    waiting: asyncio.Queue[_Row | None] = asyncio.Queue(jobs)
    async with AsyncExitStack() as stack:
        calculator = _Calculator(setup_of, stack, jobs, cached=cached)
        reading = asyncio.create_task(_read(file, calculator, waiting))
        code = 0
        while (row := await waiting.get()) is not None:
            place, calculating = row
            code |= _report(place, await calculating, text=text)
        await reading
    return code


class _Calculator:
    """Calculates documents; judges and cache are opened when the first setup asks for them."""

    def __init__(
        self, setup_of: SetupOf, stack: AsyncExitStack, jobs: int, *, cached: bool
    ) -> None:
        self._setup_of = setup_of
        self._stack = stack
        self._jobs = jobs
        self._cached = cached
        self._judges: Judges | None = None

    async def calculated(self, data: bytes) -> Calculation:
        try:
            state: Any = decode(data)
        except ValueError as error:  # text that is not UTF-8 is one, too
            method = self._setup_of("").config.method
            return failed(method, f"{error}; allowed: one JSON object")
        setup = self._setup_of(state_environment(state))
        if self._judges is None and setup.config.method != MODEL:
            cache = _cache(self._stack) if self._cached else None
            self._judges = Judges(
                os.environ, cache=cache, models=setup.models, concurrency=self._jobs
            )
            self._stack.push_async_exit(self._judges)
        calculation = await calculate(state, setup.config, self._judges, setup.prompt)
        warnings = (*setup.warnings, *calculation.warnings)
        return calculation.replace(used=setup.used, warnings=warnings)


async def _read(file: str, calculator: _Calculator, waiting: asyncio.Queue[_Row | None]) -> None:
    """Put a running calculation for each document into the queue, and None at the end.

    The input is read in a thread, so that calculations go on while a pipe is waited for.
    """
    rows = iter(Documents(file))
    try:
        while (row := await asyncio.to_thread(next, rows, None)) is not None:
            place, data = row
            await waiting.put((place, asyncio.create_task(calculator.calculated(data))))
    finally:
        await waiting.put(None)


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


def _cache(stack: AsyncExitStack) -> SqliteCache | None:
    """Open the cache of judgements; one that cannot be opened is told and done without."""
    folder = cache_folder(os.environ)
    if folder is None:
        return None
    try:
        return stack.enter_context(closing(SqliteCache(Path(folder) / CACHE)))
    except FileError as error:
        warn(str(error))
        return None
