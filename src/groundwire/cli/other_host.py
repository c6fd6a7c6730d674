"""``groundwire install --host`` and ``groundwire uninstall --host``."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from groundwire.cli.settings_change import carry_out
from groundwire.hosts import NAMES, host_named
from groundwire.install.entry import current_entry
from groundwire.install.other_hosts import host_settings, plan_host, plan_host_removal
from groundwire.install.settings_file import remove_if_ours


def refuse_with_host(**options: bool) -> None:
    """Raise BadParameter for an option that is Claude Code's alone."""
    for name, wanted in options.items():
        if wanted:
            raise typer.BadParameter(f"--{name.replace('_', '-')} does not go with --host")


def install_host(name: str, *, project: bool, dry_run: bool) -> bool:
    """Register the hook with host ``name``, say what else has to be done; return any change."""
    settings = host_named(name).settings
    path = host_settings(name, os.environ, Path.cwd(), project=project)
    events = ", ".join(settings.events)
    texts = (f"registered for {events}", f"already registered for {events}")
    change = plan_host(name, path, current_entry())
    carry_out(change, dry_run, *texts, removal=plan_host_removal(name, path))
    if settings.hint:
        typer.echo(settings.hint)
    return change.needed


def uninstall_host(name: str, *, project: bool, dry_run: bool) -> None:
    """Remove the hook from the settings of host ``name``."""
    path = host_settings(name, os.environ, Path.cwd(), project=project)
    change = plan_host_removal(name, path)
    if change.needed and remove_if_ours(change, dry_run):
        done = "would remove" if dry_run else "removed"
        typer.echo(f"{done} {change.path}, which install had made")
    else:
        carry_out(
            change, dry_run, f"removed the hook of {NAMES[name]}", "the hook is not registered"
        )
