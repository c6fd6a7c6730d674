"""``groundwire scan``: the shell filter, on prose or on recorded hook inputs."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.flags import runtime_for
from groundwire.cli.options import Patterns, Set
from groundwire.cli.scan_run import Wanted, run_scan, text_of
from groundwire.cli.sources import STDIN, read_bytes
from groundwire.service.runtime import Runtime


class Format(StrEnum):
    """What the report looks like."""

    JSON = "json"
    FULL = "full"
    TEXT = "text"
    SARIF = "sarif"
    GITHUB = "github"


class OffsetUnit(StrEnum):
    """What offsets count."""

    CODEPOINT = "codepoint"
    UTF16 = "utf16"


class FailOn(StrEnum):
    """What makes the exit code 1."""

    NOTHING = "nothing"
    REPORT = "report"
    BLOCK = "block"


_DEFAULTS = (None, OffsetUnit.CODEPOINT, FailOn.NOTHING)


def scan(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Prose to scan.")] = STDIN,
    events: Annotated[
        Path | None,
        typer.Option(help="Hook inputs, one JSON object a line, instead of prose."),
    ] = None,
    format: Annotated[  # noqa: A002
        Format | None,
        typer.Option(help="How to report; without it json, on a terminal text."),
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(metavar="0-100", help="Report from this confidence on."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Report everything, down to confidence 0.")
    ] = False,
    fail_on: Annotated[
        FailOn,
        typer.Option(help="Exit with 1 when something is reported, or would stop a turn."),
    ] = FailOn.NOTHING,
    explain_: Annotated[
        bool, typer.Option("--explain", help="Explain each match, kept or dropped.")
    ] = False,
    offset_unit: Annotated[
        OffsetUnit, typer.Option(help="Count offsets in code points or UTF-16 units.")
    ] = OffsetUnit.CODEPOINT,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Report the statements of a text that go beyond the evidence.

    Examples:

        echo "I think it is the parser." | groundwire scan

        groundwire scan answer.md --format github --fail-on report

        groundwire scan --events events.jsonl --verbose > out.jsonl
    """
    if events and (file != STDIN or explain_ or (format, offset_unit, fail_on) != _DEFAULTS):
        raise typer.BadParameter(
            "--events takes no FILE, --format, --explain, --fail-on or --offset-unit"
        )
    if explain_ and (format or fail_on is not FailOn.NOTHING):
        raise typer.BadParameter("--explain goes with neither --format nor --fail-on")
    runtime = runtime_for(set_, threshold, patterns, once=not events)
    if events:
        raise typer.Exit(_scan_events(events, runtime, verbose))
    if explain_:
        typer.echo(_explained(file, runtime))
        return
    wanted = Wanted(file, format or "", threshold, verbose, offset_unit, fail_on)
    raise typer.Exit(run_scan(wanted, runtime))


def _explained(file: str, runtime: Runtime) -> str:
    from groundwire.analysis import analyse
    from groundwire.render.explain import explain

    analysis = analyse(text_of(file), runtime.scanner, runtime.settings)
    return explain(analysis, runtime.settings.thresholds)


def _scan_events(path: Path, runtime: Runtime, verbose: bool) -> int:
    """Print one result line for each input line; return 1 when one of them was no event."""
    from groundwire.service.collector import collect_rarely
    from groundwire.service.full import event_result

    collect_rarely()
    failed = 0
    for number, line in enumerate(read_bytes(str(path)).split(b"\n"), 1):
        if not line.strip():
            continue
        result, error = event_result(line, runtime, verbose)
        if error:
            failed = 1
            print(f"groundwire: {path}:{number}: {error}", file=sys.stderr)  # noqa: T201
        typer.echo(json.dumps(result))
    return failed
