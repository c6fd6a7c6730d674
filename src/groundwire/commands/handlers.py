"""The handlers that are registered for each event, also those of a resident server.

The token of the server is in a header and not in the environment, which Claude Code hands on to
every tool. It once was there: the header named a variable that ``env`` of the same settings file
set. Such handlers are still known.
"""

from __future__ import annotations

import re

from groundwire.base.record import Record
from groundwire.hook.entry import (
    EVENTS,
    HOOK,
    HOST,
    NOTES_EVENT,
    STATUS_MESSAGE,
    TIMEOUT_SECONDS,
    Entry,
)
from groundwire.hook.sources import TOKEN_VARIABLE
from groundwire.inputs.event import STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The events that the server answers; a session's start has to be a process, which starts it.
RESIDENT_EVENTS = ("Stop", "SubagentStop")
#: The hook's option: alone it asks over the Unix socket, a port keeps the server there running.
RESIDENT = "--resident"
_URL = re.compile(rf"http://{re.escape(HOST)}:(\d+){HOOK}")
_SHOWN = re.compile(rf"Bearer (\${TOKEN_VARIABLE}|[0-9a-f]{{64}}|\(a new token\))")


class Resident(Record):
    """Where the server listens, and what it wants to see.

    With port 0 it is the resident hook, which the command hook asks over a Unix socket.
    """

    port: int
    token: str

    @property
    def url(self) -> str:
        """The address that Claude Code sends events to."""
        return f"http://{HOST}:{self.port}{HOOK}"


#: The resident hook.
LOCAL = Resident(0, "")


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
    if not resident.port:
        asking = {**command, "args": [*command["args"], RESIDENT]}
        return [*((event, asking) for event in EVENTS), *looks]
    starting = {**command, "args": [*command["args"], RESIDENT, str(resident.port)]}
    http = {
        "type": "http",
        "url": resident.url,
        "headers": {"Authorization": f"Bearer {resident.token}"},
        "timeout": TIMEOUT_SECONDS,
        "statusMessage": STATUS_MESSAGE,
    }
    main = ((event, http if event in RESIDENT_EVENTS else starting) for event in EVENTS)
    return [*main, *looks]


def asks_resident(handler: dict[str, Any]) -> bool:
    """Tell whether a command of ours asks the resident hook."""
    args = handler.get("args")
    return isinstance(args, list) and args[-1:] == [RESIDENT]


def resident_port(handler: dict[str, Any]) -> int:
    """Return the port of our server when an http handler asks it, else 0."""
    found = _URL.fullmatch(str(handler.get("url")))
    return int(found.group(1)) if found and shown_token(handler) else 0


def shown_token(handler: dict[str, Any]) -> str:
    """Return the token that an http handler of ours sends, or the variable with it; else ""."""
    headers = handler.get("headers")
    shown = headers.get("Authorization") if isinstance(headers, dict) else ""
    found = _SHOWN.fullmatch(str(shown))
    return found.group(1) if found else ""
