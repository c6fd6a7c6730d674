"""``groundwire replay``: what the hook would have done in past sessions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from groundwire.cli.options import Patterns, Set, runtime_for
from groundwire.errors import TranscriptError
from groundwire.model import BLOCK
from groundwire.replay.report import json_line, print_report
from groundwire.replay.run import Outcome, replay_transcript
from groundwire.replay.sources import find_transcripts, parse_since
from groundwire.replay.tally import Tally
from groundwire.service.full import Runtime


class Format(StrEnum):
    """What a replay prints."""

    TABLE = "table"
    JSONL = "jsonl"


class FailOn(StrEnum):
    """What makes the exit code 1."""

    NOTHING = "nothing"
    BLOCK = "block"


def replay(
    paths: Annotated[list[str], typer.Argument(help="Transcripts: files, folders or globs.")],
    format: Annotated[Format, typer.Option(help="How to report.")] = Format.TABLE,  # noqa: A002
    since: Annotated[
        str, typer.Option(help="Only turns from this date (2026-11-01) or age (7d, 12h) on.")
    ] = "",
    fail_on: Annotated[
        FailOn, typer.Option(help="Exit with 1 when a turn would have been stopped.")
    ] = FailOn.NOTHING,
    limit: Annotated[int, typer.Option(min=0, help="Show at most so many stopped turns.")] = 20,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Run the hook's decision over past sessions; nothing is stopped and nothing is remembered.

    Examples:

        groundwire replay ~/.claude/projects --since 7d

        groundwire replay session.jsonl --format jsonl --fail-on block
    """
    runtime = runtime_for(set_, None, patterns)
    start = parse_since(since, datetime.now(UTC)) if since else ""
    files = find_transcripts(paths)
    tally = Tally()
    examples: list[Outcome] = []
    # lines that go to a terminal show by themselves how far the replay is
    with_bar = format is Format.TABLE or not sys.stdout.isatty()
    paths_in_turn = _with_progress(files) if with_bar else files
    for outcome in _outcomes(paths_in_turn, runtime, start, tally):
        if format is Format.JSONL:
            typer.echo(json_line(outcome))
        elif outcome.decision.action == BLOCK and len(examples) < limit:
            examples.append(outcome)
    if format is Format.TABLE:
        print_report(Console(), tally, examples)
    if fail_on is FailOn.BLOCK and tally.blocked:
        raise typer.Exit(1)


def _outcomes(
    files: Iterable[Path], runtime: Runtime, since: str, tally: Tally
) -> Iterator[Outcome]:
    """Yield and count all outcomes; an unreadable transcript is named and passed over."""
    for path in files:
        tally.sessions += 1
        try:
            for outcome in replay_transcript(path, runtime, since):
                tally.add(outcome)
                yield outcome
        except TranscriptError as error:
            tally.unreadable += 1
            print(f"groundwire: {error}", file=sys.stderr)  # noqa: T201


def _with_progress(files: list[Path]) -> Iterable[Path]:
    """Show a progress bar on a terminal; elsewhere nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from files
        return
    columns = (
        TextColumn("replaying"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}"),
    )
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("replay", total=len(files), name="")
        for path in files:
            progress.update(task, name=path.name)
            yield path
            progress.advance(task)
