"""Options that several commands share; ``flags`` makes settings of them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import typer


class Format(StrEnum):
    """What a report looks like."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How to report.")]
#: The spellings before ``--format``; they go with version 0.3.
OldJson = Annotated[bool, typer.Option("--json", hidden=True)]
OldText = Annotated[bool, typer.Option("--text", hidden=True)]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="One setting for this run, such as thresholds.report=40; may be repeated.",
    ),
]
Patterns = Annotated[
    list[str] | None,
    typer.Option(metavar="DIR", help="An additional folder of pattern files; may be repeated."),
]
Baseline = Annotated[
    str,
    typer.Option(metavar="FILE", help="Leave out the findings that this file accepts."),
]
DocsUrl = Annotated[
    str,
    typer.Option(metavar="URL", help="With sarif: address of the built pages, for helpUri."),
]


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
