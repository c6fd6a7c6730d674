"""``groundwire doctor``: what is in order, what is not, and the command that mends it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from groundwire.commands.checks.examination import examine
from groundwire.commands.checks.finding import (
    BROKEN,
    LEVELS,
    NOTE,
    OK,
    WARNING,
    Finding,
    Surroundings,
)
from groundwire.commands.options import OldJson, TextOrJson
from groundwire.report.prose import counted, one_line

_STYLES = {OK: "green", NOTE: "cyan", WARNING: "yellow", BROKEN: "bold red"}
_WIDTH = max(map(len, LEVELS))


def doctor(agent: str = "", format_: TextOrJson = "text", json_: OldJson = False) -> None:
    """Check that the hook is registered, starts and answers, and name the fix for each problem.

    Exits with 1 when something is broken.

    Examples:

        groundwire doctor

        groundwire doctor --agent archon-patcher-1

        groundwire doctor --format json

    Options:
        --agent NAME: Look at the confidence history of this agent.
    """
    place = Surroundings(os.environ, Path.cwd(), time.time(), agent)
    findings = examine(place)
    broken = sum(finding.level == BROKEN for finding in findings)
    if json_ or format_ == "json":
        fields = {"healthy": not broken, "findings": [one.as_dict() for one in findings]}
        typer.echo(json.dumps(fields, indent=1))
    else:
        _print(Console(), findings)
    if broken:
        raise typer.Exit(1)


def _print(console: Console, findings: Sequence[Finding]) -> None:
    area = ""
    for finding in findings:
        if finding.area != area:
            area = finding.area
            console.print(Text(f"\n{area}", style="bold"), soft_wrap=True)
        line = Text(f"  {finding.level:<{_WIDTH}}  ", style=_STYLES[finding.level])
        line.append(one_line(finding.text), style="default")
        console.print(line, soft_wrap=True)
        if finding.remedy:
            arrow = Text(f"  {'':<{_WIDTH}}  -> {one_line(finding.remedy)}", style="dim")
            console.print(arrow, soft_wrap=True)
    counts = [
        counted(sum(finding.level == level for finding in findings), name)
        for level, name in ((BROKEN, "thing"), (WARNING, "warning"), (NOTE, "note"))
    ]
    console.print(Text(f"\n{counts[0]} broken, {counts[1]}, {counts[2]}"), soft_wrap=True)
