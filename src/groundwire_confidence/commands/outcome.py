"""``groundwire outcome``: whether a run of an agent was right, once that is known."""

from __future__ import annotations

import os
import time
from typing import Annotated, Literal

import typer

from groundwire.base.errors import FileError, UsageError
from groundwire.commands.allow import refuse_model
from groundwire.commands.options import Set, runtime_for
from groundwire.settings.toml_text import near_misses_first, show_value
from groundwire_confidence.commands.composite import AgentName
from groundwire_confidence.history import append_row, history_folder
from groundwire_confidence.history_outcomes import VOTE, outcome_line
from groundwire_confidence.history_read import history_score, read_rows

_DAY = 86_400


def outcome(
    agent_name: AgentName,
    outcome: Annotated[Literal["right", "wrong", "open"], typer.Argument()],
    task_id: str | None = None,
    why: str = "",
    set_: Set = None,
) -> None:
    """Say whether a run of an agent was right. Its history counts that from now on.

    Without a vote the hook's own findings count, a check of the same files that fails later or a
    revert, and without these whether the run met its threshold.

    Examples:

        groundwire outcome archon-patcher-1 wrong --task-id T-17 --why "the release broke"

        groundwire outcome default right

    Options:
        outcome: right, wrong, or open: take a vote back.
        --task-id T: Of this task, instead of the last run.
        --why: What showed it; kept with the vote.
    """
    refuse_model(os.environ)
    composite = runtime_for(set_).settings.composite
    now = time.time()
    folder = history_folder(composite.history, os.environ)
    days = composite.retention_days
    rows = read_rows(folder, now - days * _DAY, now).rows
    names = sorted({row["agent_name"] for row in rows})
    if agent_name not in names:
        what = f"agent_name: value {show_value(agent_name)}: no run of it in the last {days} days"
        raise UsageError(f"{what}: allowed: {near_misses_first(agent_name, names)}")
    own = (row.get("task_id") for row in rows if row["agent_name"] == agent_name)
    tasks = [task for task in dict.fromkeys(own) if isinstance(task, str)]
    if task_id and task_id not in tasks:
        allowed = near_misses_first(task_id, tasks[::-1])
        raise UsageError(f"--task-id: value {show_value(task_id)}: no run: allowed: {allowed}")
    line = outcome_line(agent_name, task_id, outcome, VOTE, why, now)
    if problem := append_row(folder, line, now, days):
        raise FileError(problem)
    hours = composite.lookback_hours
    history = history_score(folder, agent_name, now, hours, composite.prior_runs)
    typer.echo(f"kept: {history.why(hours)}; agent history {history.score:.2f}")
