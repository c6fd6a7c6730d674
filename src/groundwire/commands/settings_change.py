"""A change of a settings file: shown or carried out."""

from __future__ import annotations

import difflib

import typer

from groundwire.commands import settings_file
from groundwire.commands.settings_file import Change


def carry_out(
    change: Change,
    dry_run: bool,
    done: str,
    unneeded: str,
    private: bool = False,
    removal: Change | None = None,
) -> None:
    """Print the difference or write it, and say which; ``removal`` is that of uninstalling."""
    if not change.needed:
        typer.echo(f"{unneeded} in {change.path}")
    elif dry_run:
        before = (change.before or "").splitlines(keepends=True)
        after = change.after.splitlines(keepends=True)
        name = str(change.path)
        typer.echo("".join(difflib.unified_diff(before, after, name, name)), nl=False)
    else:
        backup = settings_file.write(change, private, removal)
        typer.echo(f"{done} in {change.path}")
        if backup:
            typer.echo(f"a copy of the file before: {backup}")
