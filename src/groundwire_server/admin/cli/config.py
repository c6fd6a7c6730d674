"""``groundwire admin config``: how confidence is calculated, in the admin database."""

from __future__ import annotations

import getpass
import json
import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.base.errors import ConfigError
from groundwire.commands.extras import extra_needed
from groundwire.commands.options import parse_assignments
from groundwire.settings.choices import ALL, KEY
from groundwire_confidence.calculation import check_environment
from groundwire_server.admin.cli.db import Database

if TYPE_CHECKING:
    from groundwire_server.admin.service import Admin
    from groundwire_server.admin.service.configuration import ConfigurationView

_STDIN = "-"
_SOURCE = "admin config set"

app = typer.Typer(no_args_is_help=True, help="Read and change what the admin server stores.")
config = typer.Typer(no_args_is_help=True, help="How confidence is calculated.")
app.add_typer(config, name="config")


@config.command("get")
def get(environment: str = ALL, profile: str = "", database: Database = "") -> None:
    """Print a configuration as JSON, with the version that a change has to name.

    Needs: pip install 'groundwire[server]'

    Examples:

        groundwire admin config get

        groundwire admin config get --environment production

    Options:
        --environment NAME: all, development, uat, production, or one made with `set --create`.
        --profile NAME: A profile other than the active one.
    """
    with _opened(database) as admin:
        check_environment(environment, admin.configuration.environments())
        _print(admin.configuration.get(environment, profile))


@config.command("set")
def set_(
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE...|JSON|-",
            help="Dotted keys with values, or one JSON object; - reads it from stdin.",
        ),
    ],
    environment: str = ALL,
    profile: str = "",
    version: int | None = None,
    activate: bool = False,
    create: bool = False,
    database: Database = "",
) -> None:
    """Change a configuration and print it; what is not named stays as it is.

    A profile that is not there is made, and begins as what holds in the environment; an
    environment only with --create. Needs:
    pip install 'groundwire[server]'

    Examples:

        groundwire admin config set method=hybrid

        groundwire admin config set llm_settings.timeout_ms=3000 llm_settings.max_tokens=150

        groundwire admin config set '{"method": "llm"}' --environment development --version 1

    Options:
        --environment NAME: all, development, uat, production, or one made with `set --create`.
        --profile NAME: A profile other than the active one.
        --version N: Refuse the change unless this is still the current version.
        --activate: Make the profile the active one as well.
        --create: Make the environment, if there is none of its name.
    """
    partial = _changes(changes)
    with _opened(database) as admin:
        if not create:
            check_environment(environment, admin.configuration.environments())
        view = admin.configuration.save(
            {KEY: partial},
            who=_user(),
            environment=environment,
            profile=profile,
            version=version,
        )
        if activate and not view.active:
            view = admin.configuration.activate(
                view.environment, view.profile, who=_user(), version=view.version
            )
        _print(view)


def _changes(given: list[str]) -> dict[str, Any]:
    """Return the part of the calculation that the arguments set; raises ConfigError."""
    text = sys.stdin.read() if given == [_STDIN] else given[0]
    if given != [_STDIN] and not text.lstrip().startswith("{"):
        partial = parse_assignments(given, _SOURCE, "method=hybrid")
    elif len(given) > 1:
        raise ConfigError(f"{_SOURCE}: allowed: one JSON object, or KEY=VALUE arguments")
    else:
        partial = _decoded(text)
    # the whole document and what is below its key are both accepted
    inner = partial.get(KEY)
    return inner if len(partial) == 1 and isinstance(inner, dict) else partial


def _decoded(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{_SOURCE}: not JSON: {error}") from None
    if not isinstance(document, dict):
        raise ConfigError(f"{_SOURCE}: value of another kind: allowed: a JSON object")
    return document


def _opened(database: str) -> closing[Admin]:
    with extra_needed("server"):
        from groundwire_server.admin.service import open_admin
    return closing(open_admin(database or None, os.environ))


def _print(view: ConfigurationView) -> None:
    typer.echo(json.dumps(view.model_dump(mode="json"), indent=1))


def _user() -> str:
    """Return the name that the history gets."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return f"user {os.getuid()}"
