"""The hook's entry of the second look, which Claude Code runs in the background.

Exit code 2 wakes the model with what is on stderr; any other end is silent.
"""

from __future__ import annotations

import os
import time

from groundwire.inputs.event import decode_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How an asynchronous hook asks for the model to be woken.
WAKE = 2


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
