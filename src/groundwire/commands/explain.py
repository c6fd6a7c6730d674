"""``groundwire explain``: why a text is reported, or why it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.errors import TranscriptError
from groundwire.base.model import Analysis
from groundwire.commands.options import Patterns, Set, refuse_given, runtime_for
from groundwire.commands.scan_run import EXPLANATION, Wanted, run_scan, tell
from groundwire.commands.sources import STDIN
from groundwire.report.explain import explain as explanation
from groundwire.report.trace import trace as traced
from groundwire.runs.digest import calls_by_id
from groundwire.runs.replay import examined_turn
from groundwire.verdict.examine import Examined


def explain(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    file: Annotated[str, typer.Argument()] = STDIN,
    transcript: Path | None = None,
    turn: Annotated[int, typer.Option(min=0)] = 0,
    sentence: Annotated[int, typer.Option(min=0)] = 0,
    trace: bool = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Explain each match by its marker and factors, and each dropped candidate by its filter.

    With --trace the whole way of each sentence of a turn is shown, or that of one: its markers and
    what became of each, what it claims, its factors, the calls they point to, and the decision.

    Examples:

        echo "The bug is not fixed." | groundwire explain

        groundwire explain --transcript session.jsonl

        groundwire explain --transcript session.jsonl --sentence 2 --trace

    Options:
        file [FILE|-]: Prose to explain.
        --transcript FILE: Explain a turn of a transcript instead.
        --turn N: Which turn of it, from 1; 0: the last one.
        --trace: Show the way of each sentence, step by step.
        --sentence N: With --trace: only this one, numbered as in `groundwire digest`.
    """
    if not transcript:
        refuse_given(ctx, ("--turn", "--trace", "--sentence"), "only with --transcript")
    if not trace:
        refuse_given(ctx, ("--sentence",), "only with --trace")
    runtime = runtime_for(set_, None, patterns, once=True)
    if not transcript:
        raise typer.Exit(run_scan(Wanted((file,), EXPLANATION), runtime))
    examined = examined_turn(transcript, runtime, turn)
    tell(examined.notes if examined else ())
    if trace:
        typer.echo(_traces(examined, transcript, sentence))
    else:
        typer.echo(
            explanation(
                examined.analysis if examined else Analysis(""), runtime.settings.thresholds
            )
        )


def _traces(examined: Examined | None, transcript: Path, sentence: int) -> str:
    """Return the way of one sentence, 0: of all; raises TranscriptError where it is not there."""
    findings = examined.findings if examined else None
    count = len(findings.sentences) if findings else 0
    if examined is None or findings is None or not sentence <= count:
        there = f"allowed: 1 to {count}" if count else "no turn with a message"
        raise TranscriptError(f"{transcript}: --sentence: {sentence}: {there}")
    calls, thresholds = calls_by_id(examined), examined.settings.thresholds
    numbers = [sentence] if sentence else range(1, count + 1)
    return "\n\n\n".join(
        traced(one, findings, examined.analysis, examined.decision, thresholds, calls)
        for one in numbers
    )
