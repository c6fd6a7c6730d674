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
from typing import Annotated, Any

import typer

from groundwire.base.errors import FileError
from groundwire.base.paths import cache_folder
from groundwire.commands.options import OldText, Set, TextOrJson, runtime_for
from groundwire.commands.sources import STDIN, Documents, decode
from groundwire.report.prose import one_line
from groundwire.settings.choices import METHODS, PROVIDERS
from groundwire_confidence.formula import MODEL, confidence_text
from groundwire_judge.cache import CACHE, SqliteCache
from groundwire_judge.calculate import Setup, calculate, failed, state_environment
from groundwire_judge.judges import Judges
from groundwire_judge.methods import Calculation

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
        "there is one, else the shipped ones. A document may name its own; GROUNDWIRE_ENVIRONMENT "
        "is the default.",
    ),
]
Profile = Annotated[
    str, typer.Option(metavar="NAME", help="Another profile, such as development-claude.")
]
Database = Annotated[
    str, typer.Option("--db", metavar="URL", help="The admin database with the settings.")
]
Provider = Annotated[
    str | None, typer.Option(metavar="|".join(PROVIDERS), help="Provider of the judge.")
]
Model = Annotated[str | None, typer.Option(metavar="NAME", help="Model of the judge.")]
Timeout = Annotated[
    int | None, typer.Option(metavar="MS", help="Time limit of one judgement in milliseconds.")
]
Jobs = Annotated[
    int, typer.Option(min=1, max=64, help="Judgements at the same time; results keep their order.")
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Ask the judge again, even where its answer is stored.")
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
    jobs: Jobs = 4,
    format_: TextOrJson = "json",
    text: OldText = False,
    no_cache: NoCache = False,
    set_: Set = None,
) -> None:
    """Score how far an answer can be trusted: by formula, by a judge, or by both.

    Reads {"query": ..., "context_text": ..., "context_docs": [{"similarity": 0.9}], "response":
    ...}. The judge is a language model; its key comes from OPENAI_API_KEY, ANTHROPIC_API_KEY or
    AZURE_OPENAI_API_KEY. Without its answer the formula counts, and the result says so.

    Examples:

        groundwire confidence answer.json

        groundwire confidence answers.jsonl --environment production

        groundwire confidence answer.json --method hybrid --provider anthropic --model MODEL
    """
    from groundwire.settings.judge_models import priced_models
    from groundwire_judge.calculate import with_document, with_values
    from groundwire_judge.commands.active import active_setup, setup_or_formula

    prices = priced_models(dict(runtime_for(set_).settings.judge.prices))
    flags = _flags(method, provider, model, timeout)

    def given(setup: Setup) -> Setup:
        """Return a setup with what the options say put in."""
        setup = setup.replace(models=(*setup.models, *prices))
        return with_values(with_document(setup, config) if config else setup, flags, "flags")

    setups = {"": given(active_setup(environment, profile, database))}

    def setup_of(name: str) -> Setup:
        if name not in setups:
            setups[name] = given(setup_or_formula(name, database))
        return setups[name]

    raise typer.Exit(run(file, setup_of, jobs, text=text or format_ == "text", cached=not no_cache))


def _flags(
    method: str | None, provider: str | None, model: str | None, timeout: int | None
) -> dict[str, Any]:
    judge = {"provider": provider, "model": model, "timeout_ms": timeout}
    given = {name: value for name, value in judge.items() if value is not None}
    flags: dict[str, Any] = {"llm_settings": given} if given else {}
    return flags if method is None else {**flags, "method": method}
