"""``groundwire stats``: what the hook decided, and how confident agents were."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from typing import Literal

import typer
from rich.console import Console

from groundwire.commands.options import Set, runtime_for
from groundwire.runs.replay import parse_since
from groundwire.runs.stats import collect, print_figures

#: Columns of a report that goes to a file or a pipe, so that no name is cut.
_WIDE = 200


def stats(
    agent: str = "", since: str = "7d", format_: Literal["text", "json"] = "text", set_: Set = None
) -> None:
    """Show statistics of the hook's decisions and of confidences over a period.

    Turns and reinforced confidences come from the decision log, executions of the composite from
    the confidence history. The pages of `groundwire serve --admin` show decisions, too.

    Examples:

        groundwire stats --since 30d

        groundwire stats --agent archon-patcher-1 --format json

    Options:
        --agent A: Only this agent: its exact name, or its type.
        --since: From this date (2026-11-01) or age (7d, 12h) on.
    """
    settings = runtime_for(set_).settings
    now = datetime.now(UTC)
    figures = collect(os.environ, settings, parse_since(since, now), now, agent)
    if format_ == "json":
        typer.echo(json.dumps(figures, indent=1))
    else:
        print_figures(Console(width=None if sys.stdout.isatty() else _WIDE), figures)
