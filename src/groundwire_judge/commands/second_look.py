"""``groundwire second-look``: a language model checks each message after its turn."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from groundwire.base.errors import UsageError
from groundwire.base.settings import CLAUDE_CODE, Judge
from groundwire.commands.allow import refuse_model
from groundwire.hook.second_look_state import NOTHING, Exam
from groundwire.report.prose import counted
from groundwire.settings.load import load
from groundwire_judge.cost import DAYS, Week, last_week
from groundwire_judge.destination import destination
from groundwire_judge.exam import TOKENS
from groundwire_judge.prices import PRICED, dollars, larger_model
from groundwire_judge.registration import change_entries
from groundwire_judge.request import model_of
from groundwire_judge.rights import right_by_exam
from groundwire_judge.setup import (
    RIGHTS,
    Wanted,
    exam_line,
    kept_exam,
    require_provider,
    status_lines,
    take,
    turn_off,
    turn_on,
    wanted_judge,
)

app = typer.Typer(
    no_args_is_help=True, help="Let a language model check each message after its turn."
)


@app.command()
def on(
    provider: str = "",
    model: str = "",
    base_url: str = "",
    limit_per_day: Annotated[int | None, typer.Option(min=0)] = None,
    no_exam: bool = False,
) -> None:
    """Switch the second look on, once the model has passed its entrance exam.

    The exam asks the model about 24 short digests that ship with groundwire. A model that accuses
    nobody and finds three of four may wake Claude; with one wrong accusation its findings are
    only shown to you; otherwise nothing is switched on.

    Examples:

        groundwire second-look on

        groundwire second-look on --model sonnet --limit-per-day 100

        groundwire second-look on --provider openai --base-url http://127.0.0.1:8080/v1 --model own

    Options:
        --no-exam: Only with a model that passed its exam before.
    """
    refuse_model(os.environ)
    switch_on(Wanted(provider, model, base_url, limit_per_day), no_exam=no_exam)


def switch_on(wanted: Wanted, *, no_exam: bool = False) -> None:
    """Examine the model where that is needed, and switch the second look on or say why not."""
    judge, changes = wanted_judge(wanted, os.environ, os.getcwd())
    require_provider(judge, os.environ)
    exam = kept_exam(judge, os.environ)
    if exam is None and no_exam:
        raise UsageError("the model has taken no exam: groundwire second-look on, in a terminal")
    exam = exam or _examined(judge)
    typer.echo(exam_line(exam))
    right = right_by_exam(exam.asked, exam.found, exam.accused)
    if right == NOTHING:
        larger = larger_model(judge.provider, model_of(judge))
        advice = f": try --model {larger}" if larger else ": try a larger model"
        raise UsageError(f"{model_of(judge)} did not pass, so nothing was switched on{advice}")
    problem = turn_on(changes, os.environ, os.getcwd())
    for path in change_entries(os.environ, Path.cwd(), on=True):
        typer.echo(f"registered in {path}; restart open sessions of Claude Code")
    typer.echo(f"the second look is on: {RIGHTS[right]}; {destination(judge, os.environ)}")
    _tell(problem)


@app.command()
def off() -> None:
    """Switch the second look off, at once and for all sessions; a look at work ends, too.

    Example:

        groundwire second-look off
    """
    refuse_model(os.environ)
    problem = turn_off(os.environ, os.getcwd())
    for path in change_entries(os.environ, Path.cwd(), on=False):
        typer.echo(f"changed {path}")
    typer.echo("the second look is off")
    _tell(problem)


def _tell(problem: str) -> None:
    if problem:
        typer.echo(f"running sessions keep their settings: {problem}", err=True)


@app.command()
def status() -> None:
    """Show whether it is on, which model looks, its exam, its votes, and what today has cost.

    Example:

        groundwire second-look status
    """
    judge = load(os.environ, os.getcwd()).settings.judge
    for line in status_lines(judge, os.environ):
        typer.echo(line)


@app.command()
def exam(provider: str = "", model: str = "", base_url: str = "") -> None:
    """Let a model take the entrance exam again, and say what it missed; nothing is switched on.

    Examples:

        groundwire second-look exam

        groundwire second-look exam --provider anthropic --model claude-sonnet-5-5
    """
    refuse_model(os.environ)
    judge, _ = wanted_judge(Wanted(provider, model, base_url), os.environ, os.getcwd())
    taken = _examined(judge)
    typer.echo(exam_line(taken))
    typer.echo(RIGHTS[right_by_exam(taken.asked, taken.found, taken.accused)])


def offer(provider: str = CLAUDE_CODE) -> list[str]:
    """Return the question of the installation: what it is, where it sends what, what it costs."""
    return [
        "The second look: after each turn a language model checks the message against what the",
        "tools returned. It works in the background, you wait for nothing, and it finds far more",
        "than words and facts do. By default it is your own Claude, asked by your own client, so",
        "the page about the turn goes where the session is already.",
        cost_line(last_week(os.environ, time.time()), provider),
    ]


def cost_line(week: Week, provider: str) -> str:
    """Return what the last days would have cost, in one line."""
    if not week.turns:
        return f"Your last {DAYS} days hold no turn that it would have looked at."
    about = "" if week.whole else "about "
    read = f"{about}{counted(week.turns, 'turn')}, {week.read / 1e6:.2f} million tokens"
    costs = ", ".join(f"${cost:.2f} with {model}" for model, cost in week.costs(provider))
    plan = "; on a plan it counts against its limits" if provider == CLAUDE_CODE else ""
    priced = f" (list prices of {PRICED}{plan})" if costs else ""
    return f"Your last {DAYS} days: {read}{': ' if costs else ''}{costs}{priced}."


def _examined(judge: Judge) -> Exam:
    """Let the model take its exam, and show how far it is."""
    cost = dollars(judge.provider, model_of(judge), TOKENS, 0)
    price = "" if cost is None else f", some ${cost:.2f}" if cost >= 0.01 else ", less than $0.01"
    size = f"24 digests, about {TOKENS // 1000}k tokens{price}"
    typer.echo(f"{model_of(judge)} takes the entrance exam: {size}")
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("exam", total=24)
        taken, result = take(judge, os.environ, lambda: progress.advance(task))
    for name, ids in (("missed", result.missed), ("accused", result.wrong)):
        if ids:
            typer.echo(f"  {name}: {', '.join(ids)}")
    return taken
