"""``groundwire install`` and ``groundwire uninstall``."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from groundwire.install import settings_file
from groundwire.install.entry import EVENTS, current_entry
from groundwire.install.registration import plan_install, plan_uninstall
from groundwire.install.settings_file import Change

User = Annotated[
    bool, typer.Option("--user", help="Your own settings, for all projects (the default).")
]
Project = Annotated[
    bool, typer.Option("--project", help="The current folder's .claude/settings.json.")
]
Local = Annotated[
    bool, typer.Option("--local", help="The current folder's .claude/settings.local.json.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the change; write nothing.")]


def _plan(user: bool, project: bool, local: bool, planner: Callable[[str], str]) -> Change:
    chosen = zip(settings_file.SCOPES, (user, project, local), strict=True)
    scopes = [scope for scope, wanted in chosen if wanted] or ["user"]
    if len(scopes) > 1:
        raise typer.BadParameter("choose one of --user, --project and --local")
    path = settings_file.settings_path(scopes[0], os.environ, Path.cwd())
    return settings_file.plan(path, planner)


def _carry_out(change: Change, dry_run: bool, done: str, unneeded: str) -> None:
    """Print the difference or write it, and say which."""
    if not change.needed:
        typer.echo(f"{unneeded} in {change.path}")
    elif dry_run:
        before = (change.before or "").splitlines(keepends=True)
        after = change.after.splitlines(keepends=True)
        name = str(change.path)
        typer.echo("".join(difflib.unified_diff(before, after, name, name)), nl=False)
    else:
        backup = settings_file.write(change)
        typer.echo(f"{done} in {change.path}")
        if backup:
            typer.echo(f"the file as it was: {backup}")


def install(
    user: User = False, project: Project = False, local: Local = False, dry_run: DryRun = False
) -> None:
    """Register the hook in Claude Code's settings.

    Examples:

        groundwire install --dry-run

        groundwire install --local
    """
    entry = current_entry()
    change = _plan(user, project, local, lambda text: plan_install(text, entry))
    events = ", ".join(EVENTS)
    _carry_out(change, dry_run, f"registered for {events}", f"already registered for {events}")
    for obstacle in settings_file.obstacles(os.environ, Path.cwd()):
        typer.echo(f"warning: {obstacle}", err=True)
    if project and change.needed:
        typer.echo(
            f"warning: {entry.interpreter} is a path of this machine; where the project is shared, "
            "--local or --user keeps it to yourself",
            err=True,
        )


def uninstall(
    user: User = False, project: Project = False, local: Local = False, dry_run: DryRun = False
) -> None:
    """Take the hook out of Claude Code's settings.

    Examples:

        groundwire uninstall --dry-run

        groundwire uninstall --project
    """
    change = _plan(user, project, local, plan_uninstall)
    _carry_out(change, dry_run, "removed the hook", "the hook is not registered")
