"""Whether the hook is registered in other hosts than Claude Code, and starts and answers there."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from groundwire.base.errors import InstallError
from groundwire.base.version import __version__
from groundwire.commands.checks.finding import Finding, Surroundings, found
from groundwire.commands.checks.registration import run_hook
from groundwire.commands.other_hosts import host_settings, registered_words, words_of
from groundwire.hook.entry import current_entry
from groundwire.inputs.hosts import NAMES, host_named


def registered_hosts(place: Surroundings) -> Iterator[tuple[str, Path, bool, list[str] | str]]:
    """Yield host, file, whether it is the project's, and the command or what is wrong there."""
    for name in NAMES:
        for project in (False, True):
            try:
                path = host_settings(name, place.env, place.folder, project=project)
            except InstallError:
                continue  # no home: what is said of Claude Code's settings says so
            try:
                yield from ((name, path, project, words) for words in registered_words(path))
            except InstallError as error:
                yield name, path, project, str(error)


def host_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield what is found in the settings of each other host; nothing where it has none."""
    for name, path, project, words in registered_hosts(place):
        if isinstance(words, str):
            yield found("hosts.unreadable", problem=words)
        else:
            yield from _command_findings(name, path, words, place, project=project)


def _command_findings(
    name: str, path: Path, words: list[str], place: Surroundings, *, project: bool
) -> Iterator[Finding]:
    remedy = f"groundwire install --host {name}{' --project' if project else ''}"
    command = shlex.join(words)
    yield found("hosts.registered", host=NAMES[name], path=path)
    missing = next((word for word in words if os.path.isabs(word) and not os.path.isfile(word)), "")
    if missing:
        yield found("hosts.file-gone", remedy=remedy, path=path, missing=missing)
        return
    if project and words != words_of(name, current_entry()):
        yield found("hosts.not-tried", remedy=remedy, path=path, command=command)
        return
    env = {"PATH": place.env.get("PATH", os.defpath)}
    result = run_hook(words, "{}", env)
    if isinstance(result, str) or result.stdout.strip() != "{}":
        output = result if isinstance(result, str) else " ".join(result.stderr.split())[-300:]
        yield found("hosts.no-answer", remedy=remedy, command=command, output=output)
        return
    where = run_hook([*words, "--where"], "", env)
    version = "" if isinstance(where, str) else where.stdout.partition("\n")[0]
    if version != __version__:
        named = version or "(of unknown version)"
        yield found("hosts.version", remedy=remedy, found=named, version=__version__)
    else:
        yield found("hosts.answers", command=command)
    if hint := host_named(name).settings.hint:
        yield found("hosts.hint", hint=hint)
