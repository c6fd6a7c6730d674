"""``/groundwire:why`` and its like: answers Claude Code's UserPromptExpansion event itself.

The plugin's ``commands/`` hold only names and help: the command never reaches the model. What the
user typed is run here and shown in its place.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from groundwire.base.errors import GroundwireError
from groundwire.base.json_codec import dumps
from groundwire.commands.allow import CLAUDE_SHELL
from groundwire.commands.main import run
from groundwire.hook.answer import read_event_bytes
from groundwire.inputs.event import decode_event
from groundwire.runs.past_stop import LAST

#: Commands about the last stop of the session, and modes for the session.
STOPS = ("why", "allow", "wrong")
MODES = ("report", "off", "on")
#: The command about second looks; switched on for the first time, it takes longer than a hook may.
LOOK = "second-look"


def main() -> int:
    """Answer one event on stdin; return 0."""
    try:
        event = decode_event(read_event_bytes(0))
        name = str(event.get("command_name", "")).rpartition(":")[2]
        if name not in (*STOPS, *MODES, LOOK):
            return 0
        answer = _command_output(name, shlex.split(str(event.get("command_args", ""))), event)
    except (GroundwireError, ValueError) as error:
        answer = f"groundwire: {error}"
    sys.stdout.write(dumps({"decision": "block", "reason": answer}) + "\n")
    return 0


def _command_output(name: str, arguments: list[str], event: dict[str, object]) -> str:
    session = str(event.get("session_id", ""))
    command = ["session", name, session]
    if name == LOOK:
        command = [name, *(arguments or ["status"])]
        if arguments[:1] == ["on"]:
            command.append("--no-exam")
    if name in STOPS:
        given = [one for one in arguments if one != LAST]
        names_one = bool(given) and not given[0].startswith("-")
        command = [name, *given] if names_one else [name, session, *given]
    os.environ.pop(CLAUDE_SHELL, None)  # it is the user who typed this
    output = StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        run(command)
    return output.getvalue().strip()


if __name__ == "__main__":
    raise SystemExit(main())
