"""``groundwire why``: the last stop, or late finding, in the terminal."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from groundwire.hook.memory import project_of
from groundwire.report.explain import head_text, log_text, stopping, why_text
from groundwire.runs.digest import calls_by_id, digest_of_turn, look_head, look_text
from groundwire.runs.past_stop import LAST, Again, Stop, find_stop, read_again

Which = Annotated[str, typer.Argument()]


def why(which: Which = LAST) -> None:
    """Show what stopped the last turn: each sentence, its features, and the calls that decide.

    The turn is read again from its transcript, with the settings that its session has. Without
    the transcript the decision log tells what it kept. SESSION is the id of a session, or how it
    begins. When a second look came later and woke the model or told you something, it shows that.

    Examples:

        groundwire why

        groundwire why 5f0c1c6e
    """
    stop = find_stop(os.environ, which, looks=True)
    past_turn = read_again(stop, os.environ)
    head = look_head if stop.look else head_text
    typer.echo(head(stop.line, project_of(stop.transcript)))
    for note in past_turn.notes:
        typer.echo(f"note: {note}")
    typer.echo(f"\n{_body(stop, past_turn)}")


def _body(stop: Stop, past_turn: Again) -> str:
    examined, turn = past_turn.examined, past_turn.turn
    if stop.look:
        page = digest_of_turn(examined) if examined else None
        return look_text(stop.look, turn.message if turn else "", page.calls if page else ())
    if examined is None or turn is None:
        return log_text(stop.line)
    matches = stopping(examined.analysis, examined.decision, past_turn.settings.thresholds)
    text = why_text(examined.analysis.text, matches, calls_by_id(examined))
    return text or log_text(stop.line)
