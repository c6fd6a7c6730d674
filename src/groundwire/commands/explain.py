"""``groundwire explain``: why a text is reported, or why it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.model import Analysis
from groundwire.commands.flags import runtime_for
from groundwire.commands.options import Patterns, Set
from groundwire.commands.scan_run import analysis_of, tell, text_of
from groundwire.commands.sources import STDIN
from groundwire.report import explain as render
from groundwire.runs.replay import examined_turn


def explain(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Prose to explain.")] = STDIN,
    transcript: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Explain the last turn of a transcript instead."),
    ] = None,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Explain each match by its marker and factors, and each dropped candidate by its filter.

    Example:

        echo "The bug is not fixed." | groundwire explain

        groundwire explain --transcript session.jsonl
    """
    runtime = runtime_for(set_, None, patterns, once=True)
    if transcript:
        examined = examined_turn(transcript, runtime)
        analysis = examined.analysis if examined else Analysis("")
        tell(examined.notes if examined else ())
    else:
        analysis = analysis_of(text_of(file), runtime)
    typer.echo(render.explain(analysis, runtime.settings.thresholds))
