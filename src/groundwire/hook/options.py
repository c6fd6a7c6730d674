"""What the options of the hook ask for; without one it loads none of it."""

from __future__ import annotations

import os

from groundwire.base.json_codec import dumps, loads
from groundwire.inputs.event import HOST
from groundwire.inputs.hosts import host_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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
        from groundwire_server.resident.keep import with_server as kept

        return kept(int(arguments[0]), os.environ, output)
    except Exception as failure:
        os.write(2, f"groundwire: {failure!r}\n".encode("ascii", "replace"))
        return output
