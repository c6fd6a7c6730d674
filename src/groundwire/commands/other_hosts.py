"""Registering groundwire in other hosts than Claude Code."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from groundwire.base.errors import InstallError
from groundwire.base.paths import home_folder
from groundwire.commands import settings_file
from groundwire.commands.registration import is_ours, plan_handlers, plan_uninstall
from groundwire.commands.settings_file import Change
from groundwire.hook.entry import FILE_TAIL, Entry
from groundwire.inputs.hosts import host_named
from groundwire.inputs.hosts.host import GROUPS, LIST, Host

#: Where the plugin of opencode takes the command.
_COMMAND = "const COMMAND = []"
_VERSION = {"version": 1}


def host_settings(name: str, env: Mapping[str, str], folder: Path, *, project: bool) -> Path:
    """Return the file in which host ``name`` is told of the hook; ``folder`` is the project's.

    Raises InstallError when the user's home is not known, HostError for an unknown host.
    """
    settings = host_named(name).settings
    if project:
        return folder / settings.project
    head, _, rest = settings.user.partition("/")
    if settings.variable and env.get(settings.variable):
        return Path(env[settings.variable]) / rest
    home = home_folder(env)
    if not home:
        raise InstallError("HOME is not set, so there are no user settings; use --project")
    return Path(home) / head / rest


def words_of(name: str, entry: Entry) -> list[str]:
    """Return the command that host ``name`` has to start."""
    return [entry.interpreter, "-I", "-S", entry.file, "--host", name]


def plan_host(name: str, path: Path, entry: Entry) -> Change:
    """Return ``path`` with groundwire registered in it once. Raises InstallError."""
    host = host_named(name)
    handlers = _handlers(name, host, entry)
    shape = host.settings.shape
    if shape == GROUPS:
        return settings_file.plan(path, lambda text: plan_handlers(text, handlers.items()))
    if shape == LIST:
        edit = partial(_listed, handlers=handlers)
        return settings_file.plan(path, partial(settings_file.edited, change=edit))
    text = _own_file(path, words_of(name, entry), handlers)
    before = settings_file.read(path)
    return Change(path, before, text, before != text)


def plan_host_removal(name: str, path: Path) -> Change:
    """Return ``path`` without groundwire; a file of its own is left empty. Raises InstallError."""
    shape = host_named(name).settings.shape
    if shape in (GROUPS, LIST):
        without = partial(settings_file.edited, change=_without)
        return settings_file.plan(path, plan_uninstall if shape == GROUPS else without)
    before = settings_file.read(path)
    return Change(path, before, "", bool(before))


def registered_words(path: Path) -> list[list[str]]:
    """Return the distinct commands of groundwire in a settings file. Raises InstallError."""
    text = (settings_file.read(path) or "").removeprefix("\ufeff")
    if FILE_TAIL not in text:
        return []
    if path.suffix == ".js":
        return [json.loads(f"[{text.partition(_COMMAND[:-1])[2].partition(chr(10))[0]}")]
    try:
        commands = [word for word in _texts(settings_file.parse(text)) if FILE_TAIL in word]
    except InstallError as error:
        raise InstallError(f"{path}: {error}") from None
    return [shlex.split(command) for command in dict.fromkeys(commands)]


def _handlers(name: str, host: Host, entry: Entry) -> dict[str, dict[str, Any]]:
    command = shlex.join(words_of(name, entry))
    settings = host.settings
    return {event: settings.handler(command, event) for event in settings.events}


def _own_file(path: Path, words: list[str], handlers: dict[str, dict[str, Any]]) -> str:
    """Return the text of a file that holds nothing but groundwire."""
    if path.suffix == ".js":
        plugin = files("groundwire.inputs.hosts").joinpath("opencode_plugin.js").read_text("utf-8")
        return plugin.replace(_COMMAND, f"{_COMMAND[:-2]}{json.dumps(words)}")
    hooks = {event: [handler] for event, handler in handlers.items()}
    return json.dumps({**_VERSION, "hooks": hooks}, indent=2) + "\n"


def _listed(settings: dict[str, Any], handlers: dict[str, dict[str, Any]]) -> None:
    """Put a handler into the list of each event, in the place of ours that are there."""
    _without(settings)
    settings.setdefault("version", 1)
    for event, handler in handlers.items():
        settings.setdefault("hooks", {}).setdefault(event, []).append(handler)


def _without(settings: dict[str, Any]) -> None:
    """Remove every handler of groundwire from the lists, and the lists that it leaves empty."""
    hooks = settings.get("hooks", {})
    settings_file.expect(hooks, dict, '"hooks"')
    for event, listed in list(hooks.items()):
        settings_file.expect(listed, list, f'"hooks.{event}"')
        kept = [one for one in listed if not (isinstance(one, dict) and is_ours(one))]
        if kept:
            hooks[event] = kept
        elif listed:
            del hooks[event]
            if not hooks:
                del settings["hooks"]
    if settings == _VERSION:
        settings.clear()


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in inner for text in _texts(item)]
