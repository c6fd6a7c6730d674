"""What a host is to groundwire: a record of functions and places that each module fills."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.inputs.event import SESSION_START, STOP, SUBAGENT_STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    Entry = dict[str, Any]

#: Seconds after which a host gives up on the hook.
TIMEOUT_SECONDS = 20
#: Shapes of a settings file: as Claude Code's, a list of handlers for each event, an own file.
GROUPS, LIST, OWN_FILE = "groups", "list", "file"
_UNDERSTOOD = ("decision", "reason", "systemMessage", "hookSpecificOutput")


class Settings(Record):
    """Where ``install`` registers the hook and how: paths below the home and below a project.

    ``variable`` names the folder that takes the place of the first part of ``user``. ``events`` are
    the host's own names, ``handler`` makes the entry of each from the command and the event, and
    ``hint`` is what the user has to do besides.
    """

    user: str
    project: str
    events: tuple[str, ...]
    handler: Callable[[str, str], Entry]
    shape: str = GROUPS
    variable: str = ""
    hint: str = ""


class Host(Record):
    """One host.

    ``event`` gives the Claude Code event that a decoded event of the host means, {} for one to
    which there is nothing to say; ``env`` is the environment. ``answer`` gives what the host is
    told for an answer to Claude Code ({}: nothing). ``entries`` makes lines of Claude Code's
    transcript out of those of the host, in order, and ``wrote`` tells by one of the first of them
    whether the host wrote it. ``sessions`` is the folder of its transcripts below the home.
    """

    title: str
    event: Callable[[Entry, Mapping[str, str]], Entry]
    answer: Callable[[Entry, Entry], Entry]
    entries: Callable[[Iterable[Entry]], Iterator[Entry]]
    wrote: Callable[[Entry], bool]
    sessions: str
    settings: Settings


def as_it_is(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the event of a host that has Claude Code's fields."""
    return raw


def understood(fields: Entry, _raw: Entry) -> Entry:
    """Return the part of an answer that all hosts with Claude Code's contract know."""
    return {key: fields[key] for key in _UNDERSTOOD if key in fields}


def command_handler(command: str, _event: str) -> Entry:
    """Return the handler of a host with Claude Code's shape of settings."""
    return {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}


#: What most hosts call the events that are of use, and the same with the end of a sub-agent.
EVENTS = (STOP, SESSION_START)
AGENT_EVENTS = (STOP, SUBAGENT_STOP, SESSION_START)
