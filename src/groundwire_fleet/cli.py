"""``groundwire fleet``: the decisions over a whole company's sessions, and the report of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from groundwire.commands.extras import extra_needed
from groundwire.commands.options import Patterns, Set, flag_settings

_READ = "read"


class _WithDefault(typer.core.TyperGroup):
    """A group in which words that are no command are the arguments of ``read``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = [_READ, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_WithDefault, no_args_is_help=True, help="Read a company's sessions on Spark."
)


@app.command(_READ)
def read(  # noqa: PLR0913, PLR0917 - one parameter for each option
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Folders, globs and files of any file system that Spark knows; parquet:PATH, "
            "delta:PATH or table:NAME for a table with a column path or content.",
        ),
    ],
    out: Annotated[str, typer.Option(metavar="DIR", help="The folder of the tables.")],
    master: str = "",
    keep_text: bool = False,
    again: bool = False,
    task_memory: Annotated[int, typer.Option(min=256)] = 2_048,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Write what the hook would have decided to DIR, as Parquet tables; only what is new is read.

    The word `read` may be left out. The names of sessions and users are hashed with the salt of
    GROUNDWIRE_FLEET_SALT, or one that is made for you. Needs: pip install 'groundwire[fleet]'

    Examples:

        groundwire fleet read ~/.claude/projects --out fleet --master 'local[2]'

        groundwire fleet 's3a://logs/*/projects' --out s3a://reports/fleet

    Options:
        --master URL: local[2], spark://host:7077, yarn, k8s://...; that of spark-submit by default,
          else all cores of this machine.
        --keep-text: Keep the sentences, with secrets masked.
        --again: Read all, not only what is new or has changed.
        --task-memory MIB: Most memory that reading may take in a task, beside the 160 MiB it begins
          with.
    """
    with extra_needed("fleet"):
        from groundwire_fleet.folder import spark_session
        from groundwire_fleet.frames import work
        from groundwire_fleet.run import Fleet
    flags = flag_settings(set_, None, patterns)
    job = work(flags, keep_text=keep_text, memory=task_memory)
    spark = spark_session(master)
    try:
        done = Fleet(spark, out, job).run(sources, again=again, tell=typer.echo)
    finally:
        spark.stop()
    rate = done.bytes / 1e6 / done.seconds if done.seconds else 0.0
    typer.echo(
        f"{done.read} of {done.listed} transcripts read, {done.bytes / 1e6:.1f} MB in "
        f"{done.seconds:.1f} s ({rate:.1f} MB/s): {done.turns} turns, {done.stopped} would have "
        f"been stopped; {done.errors} errors, at most {done.peak_mib} MiB in a task"
    )


@app.command()
def report(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder of the tables.")],
    output: Path | None = None,
    format_: Literal["html", "json"] = "html",
    group: Annotated[int, typer.Option(min=1)] = 5,
    master: str = "",
) -> None:
    """Report rates by week, kind, model and repository, what thresholds would stop, and drift.

    Needs: pip install 'groundwire[fleet]'

    Examples:

        groundwire fleet report fleet --output fleet.html

        groundwire fleet report s3a://reports/fleet --format json

    Options:
        --master URL: local[2], spark://host:7077, yarn, k8s://...; that of spark-submit by default,
          else all cores of this machine.
        --output FILE: Where to write; else stdout.
        --group: Groups with fewer users or sessions are not shown alone.
    """
    with extra_needed("fleet"):
        from groundwire_fleet.counts import counted
        from groundwire_fleet.figures import figures
        from groundwire_fleet.folder import spark_session
        from groundwire_fleet.page import page
    spark = spark_session(master)
    try:
        rates = figures(counted(spark, folder), group)
    finally:
        spark.stop()
    text = page(rates) if format_ == "html" else json.dumps(rates, indent=1)
    if output:
        output.write_text(text + "\n", encoding="utf-8")
    else:
        typer.echo(text)
