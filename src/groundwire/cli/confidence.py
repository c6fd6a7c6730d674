"""``groundwire confidence``: the confidence of answers by formula, judge, or both."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from groundwire.cli.flags import runtime_for
from groundwire.cli.options import Format, FormatOption, OldText, Set
from groundwire.cli.sources import STDIN
from groundwire.config.choices import METHODS, PROVIDERS

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
    format_: FormatOption = Format.JSON,
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
    from groundwire.cli.active import active_setup, setup_or_formula
    from groundwire.cli.confidence_run import run
    from groundwire.confidence.formula.setup import Setup, with_document, with_values
    from groundwire.config.judge_models import priced_models

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

    raise typer.Exit(
        run(file, setup_of, jobs, text=text or format_ is Format.TEXT, cached=not no_cache)
    )


def _flags(
    method: str | None, provider: str | None, model: str | None, timeout: int | None
) -> dict[str, Any]:
    judge = {"provider": provider, "model": model, "timeout_ms": timeout}
    given = {name: value for name, value in judge.items() if value is not None}
    flags: dict[str, Any] = {"llm_settings": given} if given else {}
    return flags if method is None else {**flags, "method": method}
