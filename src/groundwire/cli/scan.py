"""``groundwire scan``: the shell filter, on prose or on recorded hook inputs."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from groundwire.analysis import analyse
from groundwire.cli.options import Patterns, Set, runtime_for
from groundwire.cli.sources import STDIN, read_bytes, read_text
from groundwire.model import Analysis, Match
from groundwire.render.explain import explain
from groundwire.render.github import github
from groundwire.render.hook_json import match_fields
from groundwire.render.match_json import full_fields, utf16_offsets
from groundwire.render.report_text import report_text
from groundwire.render.sarif import sarif
from groundwire.service.collector import collect_rarely
from groundwire.service.full import Runtime, event_result


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


_DEFAULTS = (Format.JSON, OffsetUnit.CODEPOINT)


def scan(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Prose to scan.")] = STDIN,
    events: Annotated[
        Path | None,
        typer.Option(help="Hook inputs, one JSON object a line, instead of prose."),
    ] = None,
    format: Annotated[Format, typer.Option(help="How to report.")] = Format.JSON,  # noqa: A002
    threshold: Annotated[
        str | None,
        typer.Option(metavar="0-100", help="Report from this confidence on."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Report everything, down to confidence 0.")
    ] = False,
    explain_: Annotated[
        bool, typer.Option("--explain", help="Say for each match and each dropped one why.")
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

        groundwire scan answer.md --format text

        groundwire scan --events events.jsonl --verbose > out.jsonl
    """
    if events and (file != STDIN or explain_ or (format, offset_unit) != _DEFAULTS):
        raise typer.BadParameter(
            "--events goes with none of FILE, --format, --explain and --offset-unit"
        )
    if explain_ and format is not Format.JSON:
        raise typer.BadParameter("--explain goes with no --format")
    runtime = runtime_for(set_, threshold, patterns)
    collect_rarely()
    if events:
        raise typer.Exit(_scan_events(events, runtime, verbose))
    text = read_text(file)
    analysis = analyse(text, runtime.scanner, runtime.settings)
    if explain_:
        typer.echo(explain(analysis, runtime.settings.thresholds))
        return
    typer.echo(_report(file, analysis, runtime, format, offset_unit, verbose))


def _report(
    name: str,
    analysis: Analysis,
    runtime: Runtime,
    format: Format,  # noqa: A002
    unit: OffsetUnit,
    verbose: bool,
) -> str:
    floor = 0 if verbose else runtime.settings.thresholds.report
    matches = [match for match in analysis.matches if match.confidence >= floor]
    if format is Format.TEXT:
        hidden = len(analysis.matches) - len(matches)
        return report_text(name, analysis.text, matches, hidden).rstrip("\n")
    if format is Format.SARIF:
        return sarif(name, analysis.text, matches, runtime.markers()).rstrip("\n")
    if format is Format.GITHUB:
        return github(name, analysis.text, matches).rstrip("\n")
    return _json(analysis.text, matches, format, unit)


def _json(text: str, matches: list[Match], format: Format, unit: OffsetUnit) -> str:  # noqa: A002
    """Return a JSON array with one match a line."""
    fields = full_fields if format is Format.FULL else match_fields
    offsets: list[int] = [match.offset for match in matches]
    if unit is OffsetUnit.UTF16:
        offsets = utf16_offsets(text, offsets)
    rows = [
        json.dumps(fields(match, offset)) for match, offset in zip(matches, offsets, strict=True)
    ]
    return "[" + ",\n ".join(rows) + "]"


def _scan_events(path: Path, runtime: Runtime, verbose: bool) -> int:
    """Print one result line for each input line; return 1 when one of them was no event."""
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
