"""The hook's two entries of the second look: the look itself, and the lines that it left.

``--second-look``: Claude Code runs it in the background. Exit code 2 wakes the model with what
stands on stderr; any other end is silent. ``--notes``: with the user's next prompt, it prints the
lines that a look has kept.
"""

from __future__ import annotations

import os
import sys
import time

from groundwire.inputs.event import decode_event, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How an asynchronous hook asks for the model to be woken.
WAKE = 2
#: What the client calls a prompt that no user wrote.
_NOTIFICATION = "<task-notification>"


def look() -> int:
    """Look at the turn of the event on stdin; return the exit code. Never raises."""
    from groundwire.hook.answer import read_event_bytes

    raw: dict[str, Any] = {}
    try:
        from groundwire.hook.handle import Reply, failure_record, log_reply
        from groundwire.hook.second_look_state import EVENT
        from groundwire_judge.second_look import look_again

        raw = decode_event(read_event_bytes(0))
        try:
            found = look_again(raw, os.environ, time.time())
        except Exception as failure:  # no opinion
            record = failure_record(f"{type(failure).__name__}: {failure}", raw)
            log_reply(Reply("", {**record, "event": EVENT, "decision": ""}), os.environ)
            return 0
        log_reply(Reply("", found.record, found.log), os.environ)
        if not found.wake:
            return 0
        os.write(2, found.wake.encode("utf-8", "replace") + b"\n")
    except BaseException:  # a broken installation, a signal, or nobody who reads
        return 0
    return WAKE


def notes() -> int:
    """Print what a look has kept for the session of the event on stdin; return 0. Never raises."""
    try:
        from groundwire.hook.answer import read_event_bytes
        from groundwire.hook.second_look_state import look_folder, take_notes
        from groundwire.report.json_output import encoded

        raw = decode_event(read_event_bytes(0))
        folder = look_folder(os.environ)
        if folder and not text_at(raw, "prompt").startswith(_NOTIFICATION):
            kept = take_notes(folder, text_at(raw, "session_id"))
            sys.stdout.write(encoded({}, [f"groundwire: {line}" for line in kept]))
            sys.stdout.flush()
    except BaseException:  # the prompt goes on
        return 0
    return 0
