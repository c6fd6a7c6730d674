"""``groundwire scan``: the shell filter, on prose or on recorded hook inputs."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from groundwire.commands.flags import runtime_for
from groundwire.commands.options import Baseline, DocsUrl, Patterns, Set, given
from groundwire.commands.scan_run import Wanted, analysis_of, run_scan, text_of
from groundwire.commands.sources import STDIN, read_bytes
from groundwire.settings.runtime import Runtime


class Format(StrEnum):
    """What the report looks like."""

    JSON = "json"
    FULL = "full"
    TEXT = "text"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"


class OffsetUnit(StrEnum):
    """What offsets count."""

    CODEPOINT = "codepoint"
    UTF16 = "utf16"


class FailOn(StrEnum):
    """What makes the exit code 1."""

    NOTHING = "nothing"
    REPORT = "report"
    BLOCK = "block"


#: What goes neither with --events nor with --explain, and what only --explain allows.
_OF_REPORTS = {"--format", "--fail-on", "--baseline"}
_OF_TEXTS = {"--offset-unit", "--commit-message", "--docs-url", "--explain"}


def scan(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE...|-]", help="Prose to scan.")
    ] = None,
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
    baseline: Baseline = "",
    commit_message: Annotated[
        bool,
        typer.Option(
            "--commit-message", help="Leave out what git does: comments, and a diff below them."
        ),
    ] = False,
    docs_url: DocsUrl = "",
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

        groundwire scan *.md --baseline .groundwire-baseline.json --fail-on report

        groundwire scan --events events.jsonl --verbose > out.jsonl
    """
    named = set(given(ctx))
    if events and (files or named & (_OF_REPORTS | _OF_TEXTS)):
        raise typer.BadParameter(
            "--events takes no FILE, --format, --explain, --fail-on, --offset-unit, --baseline, "
            "--commit-message or --docs-url"
        )
    if explain_ and (named & _OF_REPORTS or len(files or ()) > 1):
        raise typer.BadParameter(
            "--explain takes one FILE, and neither --format, --fail-on nor --baseline"
        )
    if docs_url and (format is not Format.SARIF or "://" not in docs_url):
        raise typer.BadParameter(
            f"--docs-url: {docs_url!r}: allowed: an address such as https://docs.example.com, "
            "with --format sarif"
        )
    runtime = runtime_for(set_, threshold, patterns, once=not events)
    if events:
        raise typer.Exit(_scan_events(events, runtime, verbose))
    if explain_:
        typer.echo(_explanation((files or [STDIN])[0], runtime))
        return
    wanted = Wanted(
        tuple(files or ()),
        format or "",
        threshold,
        verbose,
        offset_unit,
        fail_on,
        baseline,
        docs_url,
        commit_message,
    )
    raise typer.Exit(run_scan(wanted, runtime))


def _explanation(file: str, runtime: Runtime) -> str:
    from groundwire.report.explain import explain

    analysis = analysis_of(text_of(file), runtime)
    return explain(analysis, runtime.settings.thresholds)


def _scan_events(path: Path, runtime: Runtime, verbose: bool) -> int:
    """Print one result line for each input line; return 1 when one of them was no event."""
    from groundwire.base.process import collect_rarely
    from groundwire.runs.scan import event_result

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
