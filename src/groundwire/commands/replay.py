"""``groundwire replay``: what the hook would have done in past sessions."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from groundwire.base.errors import TranscriptError
from groundwire.commands.flags import flag_settings, runtime_for
from groundwire.commands.options import Baseline, Patterns, Set, refuse_given
from groundwire.runs.baseline import read_baseline
from groundwire.runs.jobs import Wanted, choose_jobs, replay_all, size_of
from groundwire.runs.replay import Blocked, Tally, find_transcripts, parse_since
from groundwire.runs.replay_report import DOCUMENTS, print_report

if TYPE_CHECKING:
    from groundwire.settings.runtime import Runtime
    from groundwire_judge.replay import ReplayLook


_Result = TypeVar("_Result")


class Format(StrEnum):
    """What a replay prints."""

    TABLE = "table"
    HTML = "html"
    JSONL = "jsonl"
    GITLAB = "gitlab"
    JUNIT = "junit"


class FailOn(StrEnum):
    """What makes the exit code 1."""

    NOTHING = "nothing"
    BLOCK = "block"


def replay(  # noqa: PLR0913, PLR0917
    ctx: typer.Context,
    paths: Annotated[list[str], typer.Argument(help="Transcripts: files, folders or globs.")],
    format: Annotated[Format, typer.Option(help="How to report.")] = Format.TABLE,  # noqa: A002
    since: Annotated[
        str, typer.Option(help="Only turns from this date (2026-11-01) or age (7d, 12h) on.")
    ] = "",
    fail_on: Annotated[
        FailOn, typer.Option(help="Exit with 1 when a turn would have been stopped.")
    ] = FailOn.NOTHING,
    limit: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Stopped turns to show; with --second-look turns to look at, 0 means all.",
        ),
    ] = 20,
    jobs: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Number of processes; 0 chooses it by the number of files."
        ),
    ] = 0,
    second_look: Annotated[
        bool,
        typer.Option("--second-look", help="Let the model of the settings look again, too."),
    ] = False,
    judge: Annotated[bool, typer.Option("--judge", hidden=True)] = False,
    max_cost: Annotated[
        float | None,
        typer.Option(min=0, metavar="DOLLARS", help="With --second-look: ask until this is spent."),
    ] = None,
    baseline: Baseline = "",
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Show what the hook would have done in past sessions; nothing is stopped or stored.

    The exit code is 2 when a named file is no transcript, and with --fail-on when any transcript
    cannot be read.

    Examples:

        groundwire replay ~/.claude/projects --since 7d

        groundwire replay ~/.claude/projects --since 30d --format html > replay.html

        groundwire replay session.jsonl --format jsonl --fail-on block

        groundwire replay ~/.claude/projects --since 7d --second-look --limit 50

        groundwire replay sessions --baseline .groundwire-baseline.json --fail-on block
    """
    looks = second_look or judge  # its name before, which goes with version 0.3
    refuse_given(ctx, () if looks else ("--max-cost",), "only with --second-look")
    runtime = runtime_for(set_, None, patterns)
    start = parse_since(since, datetime.now(UTC)) if since else ""
    files = find_transcripts(paths)
    named_paths = frozenset(Path(path).expanduser() for path in paths)
    known = read_baseline(baseline) if baseline else frozenset()
    form = "" if format in (Format.TABLE, Format.HTML) else format.value
    wanted = Wanted(start, form, limit, named_paths, known)
    flags = flag_settings(set_, None, patterns)
    look = _planned_look(runtime, files, start, limit, max_cost) if looks else None
    results = replay_all(files, runtime, flags, wanted, choose_jobs(jobs, files), look)
    # lines that go to a terminal show by themselves how far the replay is
    if format is not Format.JSONL or not sys.stdout.isatty():
        results = _with_progress(files, results, look)
    tally = Tally()
    examples: list[Blocked] = []
    looked: list[Blocked] = []
    documents: list[tuple[str, list[str]]] = []
    failed = False
    for path, result in zip(files, results, strict=True):
        tally.merge(result.tally)
        if form in DOCUMENTS:
            documents.append((str(path), result.lines))
        else:
            typer.echo("".join(f"{line}\n" for line in result.lines), nl=False)
        looked += result.looked
        examples += result.blocked[: limit - len(examples)]
        if result.error:
            failed |= path in named_paths or fail_on is FailOn.BLOCK
            print(f"groundwire: {result.error}", file=sys.stderr)  # noqa: T201
    if not tally.sessions:
        raise TranscriptError(f"{', '.join(paths)}: no transcript there; expected *.jsonl files")
    if format is Format.TABLE:
        print_report(Console(), tally, examples, looked if look else None)
    elif format is Format.HTML:
        from groundwire.runs.replay_report import page

        typer.echo(page(tally, examples, start, looked if look else None))
    elif form in DOCUMENTS:
        typer.echo(DOCUMENTS[form](documents))
    if look:
        print(f"groundwire: {look.summary}", file=sys.stderr)  # noqa: T201
    if failed:
        raise typer.Exit(2)
    if fail_on is FailOn.BLOCK and tally.blocked:
        raise typer.Exit(1)


def _planned_look(
    runtime: Runtime, files: Sequence[Path], since: str, limit: int, max_cost: float | None
) -> ReplayLook:
    """Say what a look is going to cost, and on a terminal ask whether it may."""
    from groundwire_judge.replay import ReplayLook  # few replays look again

    look = ReplayLook(runtime, os.environ, limit, max_cost)
    deque(_with_progress(files, look.count(files, since), None), maxlen=0)
    print(f"groundwire: {look.plan}", file=sys.stderr)  # noqa: T201
    if sys.stdin.isatty():
        typer.confirm("go on?", default=True, abort=True, err=True)
    return look


def _with_progress(
    files: Sequence[Path], results: Iterator[_Result], look: ReplayLook | None
) -> Iterator[_Result]:
    """Show a progress bar on a terminal, in bytes; elsewhere nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from results
        return
    columns = (
        TextColumn("replaying"),
        BarColumn(),
        TextColumn("{task.fields[done]}/{task.fields[files]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}"),
    )
    sizes = [size_of(path) for path in files]
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("", total=sum(sizes), done=0, files=len(files), name="")
        for number, (path, size) in enumerate(zip(files, sizes, strict=True)):
            spent = f"  ${look.cost:.3f}" if look else ""
            progress.update(task, done=number, name=f"{path.name}{spent}")
            yield next(results)
            progress.advance(task, size)
        progress.update(task, done=len(files), name="")
