"""What a settings text becomes when groundwire is registered or taken out, and its handlers.

The token of the server is in a header and not in the environment, which Claude Code hands on to
every tool. It once was there: the header named a variable that ``env`` of the same settings file
set. Such handlers are still known.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Any

from groundwire.base.errors import InstallError
from groundwire.base.record import Record
from groundwire.commands import settings_file
from groundwire.hook.entry import (
    EVENTS,
    FILE_TAIL,
    HOOK,
    HOST,
    NOTES,
    NOTES_EVENT,
    STATUS_MESSAGE,
    TIMEOUT_SECONDS,
    Entry,
    role_of,
)
from groundwire.hook.sources import TOKEN_VARIABLE
from groundwire.inputs.event import STOP

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


#: Keys of a handler that stay as the user has set them.
_USERS = ("timeout", "statusMessage")

Object = dict[str, Any]


def plan_install(
    text: str, entry: Entry, resident: Resident | None = None, *, notes: bool | None = None
) -> str:
    """Return ``text`` with groundwire registered once for each of its events.

    ``notes`` registers or removes what tells findings of the second look with the next prompt;
    None leaves it as it is.

    With ``resident`` the server answers. An own entry of another version,
    interpreter or kind is updated in place and keeps its timeout; surplus copies of it are removed.
    Raises InstallError naming what is wrong.
    """

    def change(settings: Object) -> None:
        roles = [role_of(handler) for _, _, handler in _ours(settings)]
        if notes is False:
            _drop(settings, NOTES)
        wanted = NOTES in roles if notes is None else notes
        _register(settings, handlers(entry, resident, notes=wanted))
        _drop_token(settings)

    return settings_file.edited(text, change)


def plan_handlers(text: str, wanted: Iterable[tuple[str, Object]]) -> str:
    """Return ``text`` with one handler of groundwire for each event and entry of ``wanted``."""
    return settings_file.edited(text, lambda settings: _register(settings, wanted))


def plan_looks(text: str, entry: Entry, *, on: bool) -> str:
    """Return ``text`` with the entries of the second look, or without what tells its findings.

    Where groundwire is not registered, nothing changes.
    """

    def change(settings: Object) -> None:
        if not on:
            _drop(settings, NOTES)
        elif any(event in EVENTS for event, _, _ in _ours(settings)):
            looks = [(STOP, entry.look_handler()), (NOTES_EVENT, entry.notes_handler())]
            _register(settings, looks)

    return settings_file.edited(text, change)


def plan_uninstall(text: str) -> str:
    """Return ``text`` without groundwire's handlers and the containers that they leave empty.

    Raises InstallError naming what is wrong.
    """

    def change(settings: Object) -> None:
        _drop(settings)
        _drop_token(settings)

    return settings_file.edited(text, change)


def registered_port(text: str) -> int:
    """Return the port of the resident server that ``text`` registers, 0 for none."""
    ports = (resident_port(handler) for _, handler in registered_handlers(text))
    return next(filter(None, ports), 0)


def registered_token(text: str) -> str:
    """Return the token that is sent to the resident server, "" for none."""
    settings = settings_file.parse(text)
    tokens = (shown_token(handler) for _, _, handler in _ours(settings))
    token = next(filter(None, tokens), "")
    variables = settings.get("env")
    if token.startswith("$") and isinstance(variables, dict):  # registered by an older groundwire
        token = variables.get(TOKEN_VARIABLE, "")
    return token if isinstance(token, str) else ""


def registered_handlers(text: str) -> list[tuple[str, Object]]:
    """Return event and handler of every registration of groundwire in a settings text.

    Raises InstallError naming what is wrong.
    """
    return [(event, handler) for event, _, handler in _ours(settings_file.parse(text))]


def is_ours(handler: dict[str, Any]) -> bool:
    """Whether a handler leads to groundwire, in whatever version, environment or form."""
    paths = [word.replace("\\", "/") for word in command_words(handler)]
    if resident_port(handler) or any(path.endswith("/" + FILE_TAIL) for path in paths):
        return True
    return bool(paths) and paths[0].rsplit("/", 1)[-1] in ("groundwire-hook", "groundwire-hook.exe")


def command_words(handler: dict[str, Any]) -> list[str]:
    """Return what a handler starts, word by word; nothing where it is of another form."""
    command, args = handler.get("command"), handler.get("args") or []
    if not isinstance(command, str) or not isinstance(args, list):
        return []
    try:
        return [command, *map(str, args)] if "args" in handler else shlex.split(command)
    except ValueError:
        return command.split()


def _ours(settings: Object) -> list[tuple[str, Object, Object]]:
    """Return event, group and handler of ours; checks the shape of everything under ``hooks``."""
    found = []
    hooks = settings.get("hooks", {})
    settings_file.expect(hooks, dict, '"hooks"')
    for event, groups in hooks.items():
        settings_file.expect(groups, list, f'"hooks.{event}"')
        for group in groups:
            settings_file.expect(group, dict, f'an entry of "hooks.{event}"')
            if "hooks" not in group:
                raise InstallError(f'an entry of "hooks.{event}" has no "hooks"')
            settings_file.expect(group["hooks"], list, f'"hooks" in an entry of "hooks.{event}"')
            for handler in group["hooks"]:
                settings_file.expect(handler, dict, f'a handler of "hooks.{event}"')
                if is_ours(handler):
                    found.append((event, group, handler))
    return found


def _register(settings: Object, wanted: Iterable[tuple[str, Object]]) -> None:
    for event, handler in wanted:
        role = role_of(handler)
        ours = [one for one in _ours(settings) if one[0] == event and role_of(one[2]) == role]
        for surplus in ours[1:]:
            _remove(settings, *surplus)
        if not ours:
            settings.setdefault("hooks", {}).setdefault(event, []).append({"hooks": [handler]})
            continue
        present = ours[0][2]
        kept = {key: present[key] for key in _USERS if key in present}
        if present.get("type", "command") != handler["type"]:
            present.clear()
        present.pop("allowedEnvVars", None)  # of an older registration
        present.update(handler | kept)


def _drop(settings: Object, role: str | None = None) -> None:
    """Remove our handlers of one entry, or of all."""
    for event, group, handler in _ours(settings):
        if role in (None, role_of(handler)):
            _remove(settings, event, group, handler)


def _remove(settings: Object, event: str, group: Object, handler: Object) -> None:
    """Remove a handler, together with every container that only holds it."""
    hooks = settings["hooks"]
    group["hooks"] = [one for one in group["hooks"] if one is not handler]
    hooks[event] = [one for one in hooks[event] if one is not group or one["hooks"]]
    if not hooks[event]:
        del hooks[event]
    if not hooks:
        del settings["hooks"]


def _drop_token(settings: Object) -> None:
    """Remove the token that was once set for every tool, and ``env`` when it held nothing else."""
    variables = settings.get("env")
    if isinstance(variables, dict) and TOKEN_VARIABLE in variables:
        del variables[TOKEN_VARIABLE]
        if not variables:
            del settings["env"]
