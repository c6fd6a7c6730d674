"""Options that several commands share; ``flags`` makes settings of them.

Options:
    --format: How to report.
    --set KEY=VALUE: One setting for this run, such as thresholds.report=40; may be repeated.
    --patterns DIR: An additional folder of pattern files; may be repeated.
    --baseline FILE: Leave out the findings that this file accepts.
    --docs-url URL: With sarif: address of the built pages, for helpUri.
    --together GLOB: Repositories left out together; may be repeated.
    --shipped: Ignore this machine's settings files and environment variables.
    --provider NAME: claude-code (the default), anthropic, openai, azure.
    --model NAME: The model; the provider's small one.
    --base-url URL: A server of your own, by OpenAI's API.
    --limit-per-day N: Turns looked at a day, at most.
    which [last|SESSION]: The last one, or that of a session.
    folders [DIR]...: Additional pattern folders.
    --db URL: sqlite:///PATH or postgresql://USER@HOST/NAME; without it, groundwire.db in the state
      folder.
    --today DATE: Count from this day instead of today.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import typer

#: What the help says of an option whose command says nothing.
SHARED = __doc__ or ""
TextOrJson = Literal["text", "json"]
Set = list[str] | None
Patterns = list[str] | None
#: The spellings before ``--format``; they go with version 0.3.
OldJson = Annotated[bool, typer.Option("--json", hidden=True)]
OldText = Annotated[bool, typer.Option("--text", hidden=True)]


def agreed(question: str) -> bool:
    """Ask yes or no; nobody who answers is a no."""
    try:
        return typer.confirm(question)
    except typer.Abort:
        typer.echo()
        return False


def given(ctx: typer.Context) -> list[str]:
    """Return the options of the command line in the order of --help, also with a default's value.

    A flag is there by the name that comes first, such as --json.
    """
    named = {one.name: one.opts[0] for one in ctx.command.params if one.opts[0].startswith("-")}
    sources = {name: ctx.get_parameter_source(name) for name in named if name}
    return [named[name] for name, one in sources.items() if one and one.name == "COMMANDLINE"]


def refuse_given(ctx: typer.Context, options: Iterable[str], why: str) -> None:
    """Raise BadParameter, which ends with ``why``, when one of ``options`` was given."""
    refused = [one for one in given(ctx) if one in options]
    if refused:
        raise typer.BadParameter(f"{', '.join(refused)}: {why}")
