"""The command line's root: registers the commands and turns expected errors into messages."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from groundwire import __version__
from groundwire.cli import config, patterns
from groundwire.cli.annotate import annotate
from groundwire.cli.calibrate import calibrate
from groundwire.cli.composite import NUMBERS, composite
from groundwire.cli.confidence import confidence
from groundwire.cli.data_age import data_age
from groundwire.cli.digest import digest
from groundwire.cli.doctor import doctor
from groundwire.cli.explain import explain
from groundwire.cli.gate import gate
from groundwire.cli.install import install, uninstall
from groundwire.cli.judge_eval import judge_eval
from groundwire.cli.label import label
from groundwire.cli.milestones import milestones
from groundwire.cli.quality import quality
from groundwire.cli.rag import rag
from groundwire.cli.reinforce import reinforce
from groundwire.cli.replay import replay
from groundwire.cli.scan import scan
from groundwire.cli.serve import serve
from groundwire.cli.stats import stats
from groundwire.cli.trust import trust
from groundwire.errors import GroundwireError
from groundwire_admin.cli import config as admin
from groundwire_admin.cli import db
from groundwire_admin.cli.ab_report import ab_report

app = typer.Typer(
    name="groundwire",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Reads a coding agent's final message beside what the turn's tools returned, and reports "
    "the statements that go beyond the evidence.",
)
app.command("scan")(scan)
app.command("explain")(explain)
app.command("digest")(digest)
app.command("replay")(replay)
app.command("serve")(serve)
app.command("install")(install)
app.command("uninstall")(uninstall)
app.command("trust")(trust)
app.command("doctor")(doctor)
app.command("calibrate")(calibrate)
app.command("label")(label)
app.command("quality")(quality)
app.command("judge-eval")(judge_eval)
app.command("composite", context_settings=NUMBERS)(composite)
app.command("gate")(gate)
app.command("stats")(stats)
app.command("rag")(rag)
app.command("confidence")(confidence)
app.command("reinforce")(reinforce)
app.command("milestones")(milestones)
app.command("data-age")(data_age)
app.command("annotate")(annotate)
app.command("ab-report")(ab_report)
app.add_typer(admin.app, name="admin")
app.add_typer(db.app, name="db")
app.add_typer(patterns.app, name="patterns")
app.add_typer(config.app, name="config")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"groundwire {__version__}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Hold the options of the command itself."""


def main() -> int:
    """Run the command line; expected errors are printed without a traceback, exit code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a character that cannot be shown is no failure
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except GroundwireError as error:
        print(f"groundwire: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
