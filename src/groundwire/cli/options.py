"""Options that several commands share; ``flags`` makes settings of them."""

from __future__ import annotations

from typing import Annotated

import typer

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
    typer.Option(metavar="DIR", help="A further folder of pattern files; may be repeated."),
]
