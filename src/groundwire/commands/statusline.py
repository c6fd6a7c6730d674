"""``groundwire statusline``: what became of the running session's turns, for Claude Code's line.

Claude Code runs it every few moments, so it loads no more than it needs, and takes no lock.
"""

from __future__ import annotations

import os
import sys

from groundwire.base import json_codec
from groundwire.base.paths import state_folder
from groundwire.hook.log_lines import record_of
from groundwire.hook.memory import read_memory
from groundwire.hook.second_look_state import EVENT, WAKE, look_folder, looked, waiting_notes
from groundwire.hook.trial import trial_progress
from groundwire.report.prose import counted

#: The newest files of the decision log; a session seldom goes back further.
_FILES = ("decisions.1.jsonl", "decisions.jsonl")


def statusline() -> None:
    """Print one line on the session whose status Claude Code writes to stdin as JSON.

    In Claude Code's settings:

        "statusLine": {"type": "command", "command": "groundwire statusline"}
    """
    try:
        status = json_codec.loads(sys.stdin.buffer.read())
    except ValueError:
        status = None
    session = status.get("session_id") if isinstance(status, dict) else None
    text = _session_text(session) if isinstance(session, str) and session else "no session on stdin"
    sys.stdout.write(f"groundwire: {text}\n")


def _session_text(session: str) -> str:
    folder = state_folder(os.environ)
    if not folder:
        return "no home folder"
    memory = read_memory(folder, session)
    needle = b'"session": ' + json_codec.dumps(session).encode("ascii")
    counts = {"block": 0, "report": 0}
    of_look = b'"event": "%s"' % EVENT.encode()
    turns = wakes = 0
    for name in _FILES:
        for line in _lines(os.path.join(folder, name)):
            if needle in line and of_look in line:
                wakes += looked(record_of(line) or {}).get("act") == WAKE
            elif needle in line:
                turns += 1
                for action in counts:
                    counts[action] += b'"decision": "%s"' % action.encode() in line
    mode = f" ({memory.mode} in this session)" if memory.mode else ""
    if not (turns or memory.settings_key is not None):
        return f"no turn of this session checked{mode}"
    stops, reports = counted(counts["block"], "stop"), counted(counts["report"], "report")
    late = waiting_notes(look_folder(os.environ) or "", session)
    looks = f", {counted(wakes, 'wake')}" if wakes else ""
    looks += f", {counted(late, 'late finding')}" if late else ""
    passed, _, all_turns = trial_progress(folder)
    trial = f" (trial, {passed} of {all_turns} turns)" if all_turns else ""
    return f"{stops}, {reports}{looks}{mode}{trial}"


def _lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            return file.readlines()
    except OSError:
        return []
