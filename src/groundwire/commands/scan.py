"""``groundwire scan``: the shell filter, on prose or on recorded hook inputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from groundwire.commands.options import Patterns, Set, given, runtime_for
from groundwire.commands.scan_run import EXPLANATION, Wanted, run_scan
from groundwire.commands.sources import read_bytes
from groundwire.settings.runtime import Runtime

#: What goes neither with --events nor with --explain, and what only --explain allows.
_OF_REPORTS = {"--format", "--fail-on", "--baseline"}
_OF_TEXTS = {"--offset-unit", "--commit-message", "--docs-url", "--explain"}


def scan(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    files: Annotated[list[str] | None, typer.Argument()] = None,
    events: Path | None = None,
    format_: Literal["json", "full", "text", "sarif", "github", "gitlab", "junit"] | None = None,
    threshold: str | None = None,
    verbose: bool = False,
    fail_on: Literal["nothing", "report", "block"] = "nothing",
    baseline: str = "",
    commit_message: bool = False,
    docs_url: str = "",
    explain_: bool = False,
    offset_unit: Literal["codepoint", "utf16"] = "codepoint",
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Report the statements of a text that go beyond the evidence.

    Examples:

        echo "I think it is the parser." | groundwire scan

        groundwire scan answer.md --format github --fail-on report

        groundwire scan *.md --baseline .groundwire-baseline.json --fail-on report

        groundwire scan --events events.jsonl --verbose > out.jsonl

    Options:
        files [FILE...|-]: Prose to scan.
        --events: Hook inputs, one JSON object a line, instead of prose.
        --format: How to report; without it json, on a terminal text.
        --threshold 0-100: Report from this confidence on.
        --verbose: Report everything, down to confidence 0.
        --fail-on: Exit with 1 when something is reported, or would stop a turn.
        --commit-message: Leave out what git does: comments, and a diff below them.
        --explain: Explain each match, kept or dropped.
        --offset-unit: Count offsets in code points or UTF-16 units.
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
    if docs_url and (format_ != "sarif" or "://" not in docs_url):
        raise typer.BadParameter(
            f"--docs-url: {docs_url!r}: allowed: an address such as https://docs.example.com, "
            "with --format sarif"
        )
    runtime = runtime_for(set_, threshold, patterns, once=not events)
    if events:
        raise typer.Exit(_scan_events(events, runtime, verbose))
    form = EXPLANATION if explain_ else format_ or ""
    names = tuple(files or ())
    wanted = Wanted(
        names, form, threshold, verbose, offset_unit, fail_on, baseline, docs_url, commit_message
    )
    raise typer.Exit(run_scan(wanted, runtime))


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
