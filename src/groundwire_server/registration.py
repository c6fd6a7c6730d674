"""How the resident server is registered: its handlers, and the token in the environment.

Claude Code puts a variable of its own environment into a header when the handler names it. The
variable comes from ``env`` of the same settings file, so nobody has to set it by hand.
"""

from __future__ import annotations

import re

from groundwire.base.record import Record
from groundwire.hook.entry import EVENTS, NOTES_EVENT, STATUS_MESSAGE, TIMEOUT_SECONDS, Entry
from groundwire.hook.sources import TOKEN_VARIABLE
from groundwire.inputs.event import STOP
from groundwire_server.resident.message import HOOK, HOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The events that the server answers; a session's start has to be a process, which starts it.
RESIDENT_EVENTS = ("Stop", "SubagentStop")
_URL = re.compile(rf"http://{re.escape(HOST)}:(\d+){HOOK}")


class Resident(Record):
    """Where the server listens, and what it wants to see."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """The address that Claude Code sends events to."""
        return f"http://{HOST}:{self.port}{HOOK}"


def handlers(
    entry: Entry, resident: Resident | None, *, notes: bool = False
) -> list[tuple[str, dict[str, Any]]]:
    """Return each event with its handler; with ``resident`` the server answers where it can.

    The second look is always registered, since it ends at once while it is off; ``notes`` adds
    what tells its findings with the user's next prompt.
    """
    looks = [(STOP, entry.look_handler())]
    looks += [(NOTES_EVENT, entry.notes_handler())] if notes else []
    command = entry.handler()
    if resident is None:
        return [*((event, command) for event in EVENTS), *looks]
    starting = {**command, "args": [*command["args"], "--resident", str(resident.port)]}
    http = {
        "type": "http",
        "url": resident.url,
        "headers": {"Authorization": f"Bearer ${TOKEN_VARIABLE}"},
        "allowedEnvVars": [TOKEN_VARIABLE],
        "timeout": TIMEOUT_SECONDS,
        "statusMessage": STATUS_MESSAGE,
    }
    main = ((event, http if event in RESIDENT_EVENTS else starting) for event in EVENTS)
    return [*main, *looks]


def resident_port(handler: dict[str, Any]) -> int:
    """Return the port of our server when an http handler asks it, else 0."""
    url, allowed = handler.get("url"), handler.get("allowedEnvVars")
    found = _URL.fullmatch(url) if isinstance(url, str) else None
    if not found or not isinstance(allowed, list) or TOKEN_VARIABLE not in allowed:
        return 0
    return int(found.group(1))
