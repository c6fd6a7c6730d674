"""``groundwire replay``: what the hook would have done in past sessions."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer
from rich.console import Console

from groundwire.base.errors import TranscriptError
from groundwire.base.extras import extra
from groundwire.commands.options import Patterns, Set, flag_settings, refuse_given, runtime_for
from groundwire.commands.progress import with_progress
from groundwire.runs.baseline import read_baseline
from groundwire.runs.jobs import Wanted, choose_jobs, replay_all, size_of
from groundwire.runs.replay import Blocked, Tally, find_transcripts, parse_since
from groundwire.runs.replay_report import DOCUMENTS, print_report

if TYPE_CHECKING:
    from groundwire.settings.runtime import Runtime

_Result = TypeVar("_Result")


def replay(  # noqa: PLR0913, PLR0917
    ctx: typer.Context,
    paths: list[str],
    format_: Literal["table", "html", "jsonl", "gitlab", "junit"] = "table",
    since: str = "",
    fail_on: Literal["nothing", "block"] = "nothing",
    limit: Annotated[int, typer.Option(min=0)] = 20,
    jobs: Annotated[int, typer.Option(min=0)] = 0,
    second_look: bool = False,
    judge: Annotated[bool, typer.Option("--judge", hidden=True)] = False,
    max_cost: Annotated[float | None, typer.Option(min=0)] = None,
    baseline: str = "",
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

    Options:
        paths: Transcripts: files, folders or globs.
        --since: Only turns from this date (2026-11-01) or age (7d, 12h) on.
        --fail-on: Exit with 1 when a turn would have been stopped.
        --limit N: Stopped turns to show; with --second-look turns to look at, 0 means all.
        --jobs N: Number of processes; 0 chooses it by the number of files.
        --second-look: Let the model of the settings look again, too.
        --max-cost DOLLARS: With --second-look: ask until this is spent.
    """
    looks = second_look or judge  # its name before, which goes with version 0.3
    refuse_given(ctx, () if looks else ("--max-cost",), "only with --second-look")
    runtime = runtime_for(set_, None, patterns)
    start = parse_since(since, datetime.now(UTC)) if since else ""
    files = find_transcripts(paths)
    named_paths = frozenset(Path(path).expanduser() for path in paths)
    known = read_baseline(baseline) if baseline else frozenset()
    form = "" if format_ in ("table", "html") else format_
    wanted = Wanted(start, form, limit, named_paths, known)
    flags = flag_settings(set_, None, patterns)
    look = _planned_look(runtime, files, start, limit, max_cost) if looks else None
    results = replay_all(files, runtime, flags, wanted, choose_jobs(jobs, files), look)
    # lines that go to a terminal show by themselves how far the replay is
    if format_ != "jsonl" or not sys.stdout.isatty():
        results = _with_progress(results, files, look)
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
            failed |= path in named_paths or fail_on == "block"
            print(f"groundwire: {result.error}", file=sys.stderr)  # noqa: T201
    if not tally.sessions:
        raise TranscriptError(f"{', '.join(paths)}: no transcript there; expected *.jsonl files")
    if format_ == "table":
        print_report(Console(), tally, examples, looked if look else None)
    elif format_ == "html":
        from groundwire.runs.replay_report import page

        typer.echo(page(tally, examples, start, looked if look else None))
    elif form in DOCUMENTS:
        typer.echo(DOCUMENTS[form](documents))
    if look:
        print(f"groundwire: {look.summary}", file=sys.stderr)  # noqa: T201
    if failed:
        raise typer.Exit(2)
    if fail_on == "block" and tally.blocked:
        raise typer.Exit(1)


def _planned_look(
    runtime: Runtime, files: Sequence[Path], since: str, limit: int, max_cost: float | None
) -> Any:
    """Say what a look is going to cost, and on a terminal ask whether it may."""
    look = extra("replay_steps", "second-look")(runtime, os.environ, limit, max_cost)
    deque(_with_progress(look.count(files, since), files, None), maxlen=0)
    print(f"groundwire: {look.plan}", file=sys.stderr)  # noqa: T201
    if sys.stdin.isatty():
        typer.confirm("go on?", default=True, abort=True, err=True)
    return look


def _with_progress(
    results: Iterator[_Result], files: Sequence[Path], look: Any
) -> Iterator[_Result]:
    """Show how far the files are, in bytes, and what a look has cost."""
    sizes, spent = list(map(size_of, files)), lambda: f"  ${look.cost:.3f}" if look else ""
    return with_progress(results, files, "replaying", sizes=sizes, note=spent)
