"""Options that several commands share; ``flags`` makes settings of them."""

from __future__ import annotations

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
