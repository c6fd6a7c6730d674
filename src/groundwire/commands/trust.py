"""``groundwire trust``: let a project's settings file loosen the checks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import typer

from groundwire.base.errors import ConfigError
from groundwire.commands.allow import refuse_model
from groundwire.commands.options import agreed
from groundwire.settings.compile import compile_to_cache
from groundwire.settings.project import (
    identities,
    inspect_project,
    standing,
    trust_list,
    trust_path,
)
from groundwire.settings.toml_text import show_path
from groundwire.settings.trust import describe, entry_for, write_trust


def trust(
    path: Annotated[str, typer.Argument()] = ".",
    list_: bool = False,
    remove: bool = False,
    yes: Annotated[bool, typer.Option("--yes", "-y")] = False,
) -> None:
    """Let a project's settings file loosen the checks, after showing what it loosens and asking.

    Without trust a project can only make the checks stricter. Trust ends when the file, or a
    pattern file that it uses, changes. A shell of Claude Code is refused what loosens.

    Examples:

        groundwire trust

        groundwire trust --list

        groundwire trust --remove ~/code/shop

    Options:
        path [PATH]: A project's settings file, or its folder.
        --list: List the trusted files; change nothing.
        --remove: Remove PATH from the list.
        --yes: Trust it without asking.
    """
    if list_ and remove:
        raise typer.BadParameter("--list and --remove exclude each other")
    if list_:
        _list_trusted(os.environ)
    elif remove:
        _remove_trusted(os.environ, path)
    else:
        _add_trusted(os.environ, path, yes)


def _add_trusted(env: Mapping[str, str], path: str, yes: bool) -> None:
    project = inspect_project(env, path)
    entries = trust_list(env)
    path_text = show_path(project.layer.path)
    if project.loosenings:
        typer.echo(f"{path_text} loosens:")
        for item in project.loosenings:
            typer.echo(f"  {project.layer.key(item.path)}: {describe(item)}")
        refuse_model(env)
        if not (yes or agreed(f"trust {path_text}?")):
            raise ConfigError(f"{path_text}: not trusted; --yes trusts it without asking")
    else:
        typer.echo(f"{path_text} loosens nothing.")
    write_trust(trust_path(env), {**entries, project.layer.path: entry_for(project.layer)})
    compile_to_cache(env, os.path.dirname(project.layer.path))  # so that the next session has them
    typer.echo(f"trusted: {path_text}, from the next session on")


def _remove_trusted(env: Mapping[str, str], path: str) -> None:
    entries = trust_list(env)
    found = next((name for name in identities(env, path) if name in entries), None)
    if found is None:
        raise ConfigError(f"{show_path(path)}: not on the trust list: see groundwire trust --list")
    del entries[found]
    write_trust(trust_path(env), entries)
    compile_to_cache(env, os.path.dirname(found))
    typer.echo(f"no longer trusted: {show_path(found)}")


def _list_trusted(env: Mapping[str, str]) -> None:
    entries = trust_list(env)
    for name, entry in sorted(entries.items()):
        typer.echo(f"{show_path(name)}: {standing(env, name, entry)}")
    if not entries:
        typer.echo("no project is trusted")
