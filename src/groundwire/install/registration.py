"""What a settings text becomes when groundwire is registered in it or taken out: pure functions."""

from __future__ import annotations

import shlex
from typing import Any

from groundwire.event import STOP
from groundwire.install import json_text
from groundwire.install.entry import EVENTS, FILE_TAIL, NOTES, NOTES_EVENT, Entry, role_of
from groundwire.install.json_text import Node
from groundwire.install.resident import Resident, handlers, resident_port
from groundwire.record import Record
from groundwire.state.sources import TOKEN_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
#: Keys of a handler that stay as the user has set them.
_USERS = ("timeout", "statusMessage")


class Place(Record):
    """Where a handler stands: ``hooks.<event>[group].hooks[index]``."""

    event: str
    group: int
    index: int


def plan_install(
    text: str, entry: Entry, resident: Resident | None = None, *, notes: bool | None = None
) -> str:
    """Return ``text`` with groundwire registered once for each of its events.

    ``notes`` registers or removes what tells findings of the second look with the next prompt;
    None leaves it as it is.

    With ``resident`` the server answers, and its token is set. An own entry of another version,
    interpreter or kind is updated in place and keeps its timeout; surplus copies of it are removed.
    Raises InstallError naming the line of what is wrong.
    """
    roles = [role_of(handler) for _, handler in registered_handlers(text)]
    if notes is False:
        text = _without(text, NOTES)
    wanted = NOTES in roles if notes is None else notes
    text = plan_handlers(text, handlers(entry, resident, notes=wanted))
    return _set_token(text, resident.token) if resident else _drop_token(text)


def plan_handlers(text: str, wanted: Iterable[tuple[str, dict[str, Any]]]) -> str:
    """Return ``text`` with one handler of groundwire for each event and entry of ``wanted``."""
    for event, handler in wanted:
        text = _register(text, event, handler)
    return text


def plan_looks(text: str, entry: Entry, *, on: bool) -> str:
    """Return ``text`` with the entries of the second look, or without what tells its findings.

    Where groundwire is not registered, nothing changes.
    """
    if not on:
        return _without(text, NOTES)
    if not any(event in EVENTS for event, _ in registered_handlers(text)):
        return text
    looks = [(STOP, entry.look_handler()), (NOTES_EVENT, entry.notes_handler())]
    return plan_handlers(text, looks)


def _without(text: str, role: str) -> str:
    """Return ``text`` without our handlers of one entry."""
    for place in reversed(_ours(text, _settings(text))):
        if role_of(_handler(text, place).data) == role:
            text = _drop(text, place)
    return text


def plan_uninstall(text: str) -> str:
    """Return ``text`` without groundwire's handlers and the containers that they leave empty.

    Raises InstallError naming the line of what is wrong.
    """
    while places := _ours(text, _settings(text)):
        text = _drop(text, places[-1])
    return _drop_token(text)


def registered_port(text: str) -> int:
    """Return the port of the resident server that ``text`` registers, 0 for none."""
    root = _settings(text)
    ports = (resident_port(_handler(text, place).data) for place in _ours(text, root))
    return next(filter(None, ports), 0)


def registered_token(text: str) -> str:
    """Return the token of the resident server that ``text`` sets, "" for none."""
    variables = _settings(text).data.get("env")
    token = variables.get(TOKEN_VARIABLE) if isinstance(variables, dict) else ""
    return token if isinstance(token, str) else ""


def registered_handlers(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return event and handler of every registration of groundwire in a settings text.

    Raises InstallError naming the line of what is wrong.
    """
    places = _ours(text, _settings(text))
    return [(place.event, _handler(text, place).data) for place in places]


def is_ours(handler: dict[str, Any]) -> bool:
    """Whether a handler leads to groundwire, in whatever version, environment or form."""
    if resident_port(handler):
        return True
    command, args = handler.get("command"), handler.get("args") or []
    if not isinstance(command, str) or not isinstance(args, list):
        return False
    try:
        words = [command, *map(str, args)] if "args" in handler else shlex.split(command)
    except ValueError:
        words = command.split()
    paths = [word.replace("\\", "/") for word in words]
    if any(path.endswith("/" + FILE_TAIL) for path in paths):
        return True
    return bool(paths) and paths[0].rsplit("/", 1)[-1] in ("groundwire-hook", "groundwire-hook.exe")


def _settings(text: str) -> Node:
    root = json_text.parse(text)
    _expect(text, root, dict, "the settings")
    return root


def _expect(text: str, node: Node, kind: type, name: str) -> None:
    if not isinstance(node.data, kind):
        actual = "null" if node.data is None else _NAMES.get(type(node.data), "a number")
        json_text.refuse(text, node.start, f"{name} must be {_NAMES[kind]}, not {actual}")


def _child(node: Node, key: str) -> Node:
    child = node.member(key)
    assert child is not None, key
    return child


def _ours(text: str, root: Node) -> list[Place]:
    """Our handlers in the order of the text; checks the shape of everything under ``hooks``."""
    hooks = root.member("hooks")
    if hooks is None:
        return []
    _expect(text, hooks, dict, '"hooks"')
    places = []
    for event, groups in zip(hooks.keys, hooks.children, strict=True):
        _expect(text, groups, list, f'"hooks.{event}"')
        for number, group in enumerate(groups.children):
            _expect(text, group, dict, f'an entry of "hooks.{event}"')
            handlers = group.member("hooks")
            if handlers is None:
                json_text.refuse(text, group.start, f'an entry of "hooks.{event}" has no "hooks"')
            _expect(text, handlers, list, f'"hooks" in an entry of "hooks.{event}"')
            for index, handler in enumerate(handlers.children):
                _expect(text, handler, dict, f'a handler of "hooks.{event}"')
                if is_ours(handler.data):
                    places.append(Place(event, number, index))
    return places


def _groups(root: Node, event: str) -> Node:
    return _child(_child(root, "hooks"), event)


def _handler(text: str, place: Place) -> Node:
    group = _groups(_settings(text), place.event).children[place.group]
    return _child(group, "hooks").children[place.index]


def _register(text: str, event: str, handler: dict[str, Any]) -> str:
    root = _settings(text)
    role = role_of(handler)
    places = [
        place
        for place in _ours(text, root)
        if place.event == event and role_of(_handler(text, place).data) == role
    ]
    if not places:
        return _append(text, root, event, handler)
    for surplus in reversed(places[1:]):
        text = _drop(text, surplus)
    return _update(text, places[0], handler)


def _append(text: str, root: Node, event: str, handler: dict[str, Any]) -> str:
    group = {"hooks": [handler]}
    hooks = root.member("hooks")
    if hooks is None:
        return json_text.add_member(text, root, "hooks", {event: [group]})
    groups = hooks.member(event)
    if groups is None:
        return json_text.add_member(text, hooks, event, [group])
    return json_text.add_item(text, groups, group)


def _update(text: str, place: Place, handler: dict[str, Any]) -> str:
    present = _handler(text, place)
    if present.data.get("type", "command") != handler["type"]:
        kept = {key: present.data[key] for key in _USERS if key in present.data}
        return json_text.replace(text, present, {**handler, **kept})
    for key, value in handler.items():
        node = _handler(text, place)
        member = node.member(key)
        if member is None:
            text = json_text.add_member(text, node, key, value)
        elif member.data != value and key not in _USERS:
            text = json_text.replace(text, member, value)
    return text


def _set_token(text: str, token: str) -> str:
    root = _settings(text)
    variables = root.member("env")
    if variables is None:
        return json_text.add_member(text, root, "env", {TOKEN_VARIABLE: token})
    _expect(text, variables, dict, '"env"')
    present = variables.member(TOKEN_VARIABLE)
    if present is None:
        return json_text.add_member(text, variables, TOKEN_VARIABLE, token)
    return text if present.data == token else json_text.replace(text, present, token)


def _drop_token(text: str) -> str:
    """Remove the token, and ``env`` when it held nothing else."""
    root = _settings(text)
    variables = root.member("env")
    if variables is None or TOKEN_VARIABLE not in variables.keys:
        return text
    if len(variables.children) == 1:
        return json_text.remove(text, root, root.keys.index("env"))
    return json_text.remove(text, variables, variables.keys.index(TOKEN_VARIABLE))


def _drop(text: str, place: Place) -> str:
    """Remove a handler, together with every container that only holds it."""
    root = _settings(text)
    hooks = _child(root, "hooks")
    groups = _child(hooks, place.event)
    handlers = _child(groups.children[place.group], "hooks")
    if len(handlers.children) > 1:
        return json_text.remove(text, handlers, place.index)
    if len(groups.children) > 1:
        return json_text.remove(text, groups, place.group)
    if len(hooks.children) > 1:
        return json_text.remove(text, hooks, hooks.keys.index(place.event))
    return json_text.remove(text, root, root.keys.index("hooks"))
