"""What the options of the hook ask for; without one it loads none of it."""

from __future__ import annotations

import os
import sys

from groundwire.base.extras import extra
from groundwire.base.json_codec import dumps, loads
from groundwire.inputs.event import HOST, decode_event, text_at
from groundwire.inputs.hosts import host_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: What the client calls a prompt that no user wrote.
_NOTIFICATION = "<task-notification>"


def look() -> int:
    """Run the second look on the event on stdin; return its exit code, 0 without one."""
    try:
        code: int = extra("hook_options", "second-look")()
        return code
    except BaseException:  # a broken installation, a signal, or nobody who reads
        return 0


def tell_notes(read: Callable[[int], bytes]) -> int:
    """Print what a look has kept for the session of the event on stdin; return 0. Never raises."""
    try:
        from groundwire.hook.second_look_state import look_folder, take_notes
        from groundwire.report.json_output import encoded

        raw = decode_event(read(0))
        folder = look_folder(os.environ)
        if folder and not text_at(raw, "prompt").startswith(_NOTIFICATION):
            kept = take_notes(folder, text_at(raw, "session_id"))
            sys.stdout.write(encoded({}, [f"groundwire: {line}" for line in kept]))
            sys.stdout.flush()
    except BaseException:  # the prompt goes on
        return 0
    return 0


def answer_of(
    name: str, answer: Callable[[Callable[[Any], Any]], tuple[str, str]]
) -> tuple[str, str]:
    """Return stdout, always one object, and stderr for an event of host ``name``.

    ``answer`` reads it, translates it with what it is given, and answers Claude Code's event.
    Raises HostError for an unknown host.
    """
    host = host_named(name)
    event: dict[str, Any] = {}

    def translated(raw: dict[str, Any]) -> dict[str, Any]:
        event.update(raw)
        return {**host.event(raw, os.environ), HOST: name}

    output, error = answer(translated)
    return dumps(host.answer(loads(output) if output else {}, event)), error


def with_server(arguments: list[str], output: str) -> str:
    """See that the resident server runs; what was done stands in the decision log."""
    try:
        kept: str = extra("hook_options", "resident")(int(arguments[0]), os.environ, output)
        return kept
    except Exception as failure:
        os.write(2, f"groundwire: {failure!r}\n".encode("ascii", "replace"))
        return output
