"""Whether the hook is registered in Claude Code's settings, and starts and answers there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from groundwire.base.errors import InstallError
from groundwire.base.record import Record
from groundwire.base.version import __version__
from groundwire.commands import settings_file
from groundwire.commands.checks.configuration import plugin_findings
from groundwire.commands.checks.finding import BROKEN, WARNING, Finding, Surroundings, found
from groundwire.commands.registration import command_words, registered_handlers, resident_port
from groundwire.hook.entry import EVENTS, FILE_TAIL, current_entry, role_of

_SECONDS = 20
_VERSION = re.compile(rb'^__version__ = "([\w.+-]{1,40})"$', re.M)
_LARGEST = 1 << 16
#: A message that the shipped settings stop: an answer shows that the hook can do all its work.
_SAMPLE = "I think the crash is probably caused by a race condition."


class Registration(Record):
    """One handler of groundwire: the settings file, its scope, the event."""

    path: Path
    scope: str
    event: str
    handler: dict[str, Any]


def find_registrations(place: Surroundings) -> tuple[list[Registration], list[Finding]]:
    """Return all registrations for the folder, and the settings files that cannot be read."""
    registrations: list[Registration] = []
    problems: list[Finding] = []
    read_paths: set[Path] = set()
    for scope in settings_file.SCOPES:
        try:
            path = settings_file.settings_path(scope, place.env, place.folder)
            # in the home folder the user's file and the project's are one
            if path in read_paths:
                continue
            read_paths.add(path)
            text = (settings_file.read(path) or "").removeprefix("\ufeff")
            handlers = registered_handlers(text) if text.strip() else []
        except InstallError as error:
            named = str(error) if scope == "user" and "HOME" in str(error) else f"{scope}: {error}"
            problems.append(found("hook.unreadable", problem=named))
            continue
        registrations += [Registration(path, scope, event, handler) for event, handler in handlers]
    return registrations, problems


def registration_findings(
    place: Surroundings,
    registrations: Sequence[Registration],
    problems: Sequence[Finding],
    *,
    elsewhere: bool = False,
) -> Iterator[Finding]:
    """Yield whether each event is registered once and its command starts.

    Where it is registered in another host (``elsewhere``), Claude Code need not have it.
    """
    yield from problems
    has_plugin = False
    for line in settings_file.obstacles(place.env, place.folder):
        is_plugin = "enabled as a plugin" in line
        has_plugin = has_plugin or is_plugin
        if not is_plugin or registrations:
            yield found("hook.obstacle", WARNING if is_plugin else BROKEN, line=line)
    events = [one.event for one in registrations]
    missing = [event for event in EVENTS if event not in events]
    if has_plugin and not registrations:
        yield from plugin_findings(place)
    elif missing == list(EVENTS):
        yield found("hook.elsewhere-only" if elsewhere else "hook.none")
    elif missing:
        yield found("hook.missing", events=", ".join(missing))
    for path in dict.fromkeys(one.path for one in registrations):
        here = dict.fromkeys(one.event for one in registrations if one.path == path)
        yield found("hook.registered", events=", ".join(here), path=path)
    yield from _copy_findings(registrations)
    for words, one in _commands(registrations):
        yield from _command_findings(words, one, place)


def _copy_findings(registrations: Sequence[Registration]) -> Iterator[Finding]:
    """Yield the events for which the hook runs more than once."""
    for event in EVENTS:
        copies = [one for one in registrations if one.event == event and not role_of(one.handler)]
        different = {json.dumps(one.handler, sort_keys=True) for one in copies}
        if len(different) > 1:
            files = ", ".join(dict.fromkeys(str(one.path) for one in copies))
            yield found("hook.copies", count=len(different), event=event, files=files)


def _commands(registrations: Sequence[Registration]) -> list[tuple[list[str], Registration]]:
    """Return the distinct commands that are registered, each with one of its registrations."""
    commands: dict[tuple[str, ...], Registration] = {}
    for registration in registrations:
        if not (resident_port(registration.handler) or role_of(registration.handler)):
            words = command_words(registration.handler)
            end = words.index("--resident") if "--resident" in words else len(words)
            commands.setdefault(tuple(words[:end]), registration)
    return [(list(words), registration) for words, registration in commands.items()]


def _command_findings(
    words: list[str], entry: Registration, place: Surroundings
) -> Iterator[Finding]:
    named = [word for word in words[:1] + words[-1:] if os.path.isabs(word)]
    missing = [word for word in named if not os.path.isfile(word)]
    if missing:
        yield found("hook.file-gone", path=entry.path, missing=missing[0])
        return
    try:
        own = current_entry()
        is_own = words == [own.interpreter, "-I", "-S", own.file]
    except InstallError as error:
        yield found("hook.own-entry", problem=error)
        is_own = False
    if entry.scope != "user" and not is_own:  # whoever wrote the project chose what it starts
        yield found("hook.not-tried", path=entry.path, command=shlex.join(words))
        return
    version = __version__ if is_own else version_beside(words[-1])
    if not version:
        yield found("hook.no-version", command=shlex.join(words))
        return
    yield _answer_finding(words, place)
    if version != __version__:
        yield found("hook.version", found=version, version=__version__)
    elif not is_own:
        yield found("hook.another")


def _answer_finding(words: list[str], place: Surroundings) -> Finding:
    """Return whether the command stops a sample turn, in an empty home folder of its own."""
    event = {"hook_event_name": "Stop", "session_id": "doctor", "last_assistant_message": _SAMPLE}
    with tempfile.TemporaryDirectory(prefix="groundwire-doctor-") as home:
        env = {"HOME": home, "USERPROFILE": home, "PATH": place.env.get("PATH", os.defpath)}
        result = run_hook(words, json.dumps({**event, "cwd": home}), env)
    command = shlex.join(words)
    if isinstance(result, str):
        return found("hook.no-start", command=command, problem=result)
    try:
        stops = json.loads(result.stdout).get("decision") == "block"
    except (ValueError, AttributeError):
        stops = False
    if not stops:
        output = " ".join(result.stderr.split())[-300:] or f"exit code {result.returncode}"
        return found("hook.no-stop", command=command, output=output)
    return found("hook.answers", command=command)


def version_beside(file: str) -> str:
    """Return the version of the groundwire that a hook's ``file`` belongs to, "" for none.

    It is read: nothing is run in order to find out what it is.
    """
    if not file.endswith(f"/{FILE_TAIL}"):
        return ""
    package = os.path.join(os.path.dirname(file), "..")
    for name in ("base/version.py", "__init__.py"):  # the second until 0.1.0
        try:
            with open(os.path.join(package, name), "rb") as source:
                stated = _VERSION.search(source.read(_LARGEST))
        except OSError:
            continue
        if stated:
            return stated[1].decode()
    return ""


def run_hook(
    command: list[str], data: str, env: dict[str, str]
) -> subprocess.CompletedProcess[str] | str:
    """Return the finished process of a hook, which writes no byte code, or why there is none."""
    if "-I" in command:
        command = [command[0], "-B", *command[1:]]
    try:
        return subprocess.run(  # noqa: S603 - what the user registered, or this installation
            command,
            input=data,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_SECONDS} seconds"
    except OSError as error:
        return error.strerror or str(error)
