"""``groundwire session``: one session with another mode than the settings say."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import typer

from groundwire.base.errors import FileError, UsageError
from groundwire.base.paths import state_folder
from groundwire.commands.allow import refuse_model
from groundwire.hook.log_lines import read_log
from groundwire.hook.memory import SessionState
from groundwire.runs.past_stop import LAST

_TOLD = {
    "off": "nothing is checked in this session, from the next turn on; on ends that",
    "report": "no turn of this session is stopped, from the next one on; on ends that",
    "on": "the mode of the settings holds again, from the next turn on",
}


def session(
    mode: Literal["off", "report", "on"], which: Annotated[str, typer.Argument()] = LAST
) -> None:
    """Check nothing in one session, or only report, from its next turn on.

    It never makes more happen than the settings want, and is refused in a shell of Claude Code.

    Examples:

        groundwire session report

        groundwire session off 5f0c1c6e-0000-4000-8000-000000000001

    Options:
        mode: off, report (stop nothing), or on again.
        which [last|SESSION]: The last session, or the id of one.
    """
    refuse_model(os.environ)
    folder = state_folder(os.environ)
    name = _last_session(folder or "") if which == LAST else which
    state = SessionState(folder, name)
    try:
        if state.memory.settings_key is None and which != LAST:
            raise UsageError(f"session {which}: not known: allowed: the whole id of one")
        state.save(state.memory.replace(mode="" if mode == "on" else mode))
    finally:
        state.close()
    if state.problem:
        raise FileError(state.problem)
    typer.echo(f"session {name}: {_TOLD[mode]}")


def _last_session(folder: str) -> str:
    name = ""
    for line in read_log(folder):
        name = line.get("session") or name
    if not name:
        raise UsageError("no session in the decision log: name one")
    return str(name)
