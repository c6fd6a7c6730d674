"""The entries of the second look in Claude Code's settings, where groundwire is registered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from groundwire.base.errors import InstallError
from groundwire.commands import settings_file
from groundwire.commands.registration import plan_looks
from groundwire.hook.entry import current_entry


def change_entries(env: Mapping[str, str], project: Path, *, on: bool) -> list[Path]:
    """Add or remove the entries of the second look where groundwire is registered.

    Returns the files that changed. Raises InstallError.
    """
    entry = current_entry()
    changed: list[Path] = []
    for scope in settings_file.SCOPES:
        try:
            path = settings_file.settings_path(scope, env, project)
        except InstallError:  # no home
            continue
        if path in changed or settings_file.read(path) is None:
            continue
        change = settings_file.plan(path, lambda text: plan_looks(text, entry, on=on))
        if change.needed:
            settings_file.write(change)
            changed.append(path)
    return changed
