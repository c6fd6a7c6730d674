"""``groundwire config``: show the settings in effect, check them, print their schema."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.syntax import Syntax

from groundwire.base.errors import UsageError
from groundwire.base.extras import extras
from groundwire.base.paths import home_folder
from groundwire.hook.profiles import FACTS, MAIN, matching, profiled
from groundwire.hook.sources import PYPROJECT, USER, Source, find_sources, read_source
from groundwire.inputs.event import STOP, SUBAGENT_STOP, Event
from groundwire.settings.convert import from_settings
from groundwire.settings.load import Loaded, Origin, load, project_layer, resolve
from groundwire.settings.names import known_names
from groundwire.settings.project import passed_over
from groundwire.settings.toml_text import show_key, show_path, to_toml
from groundwire.settings.trust import leaves
from groundwire.verdict.decision import mode_of

app = typer.Typer(no_args_is_help=True, help="Show and check the settings.")


@app.command()
def show(
    origin: bool = False, format_: Literal["toml", "json"] = "toml", for_: list[str] | None = None
) -> None:
    """Show the settings in effect in the current folder, and what leaves the machine by them.

    Example:

        groundwire config show --origin

        groundwire config show --for agent=reviewer --for model=claude-haiku-4

    Options:
        --origin: Show where each value comes from.
        --format: How to print.
        --for NAME=VALUE: Show what holds for an agent, model, host or project; may be repeated.
    """
    loaded = load(os.environ, os.getcwd())
    for warning in loaded.warnings:
        typer.echo(f"warning: {warning}", err=True)
    notes = [note(loaded.settings, os.environ) for note in extras("config_notes").values()]
    where = "\n# ".join(notes)
    if for_:
        loaded, text = _profiled_settings(loaded, for_)
        typer.echo(text, err=True)
    if format_ == "json":
        _print(_as_json(loaded, origin), format_)
        typer.echo("\n".join(notes), err=True)
    else:
        _print(f"# {where}\n\n" * bool(notes) + _as_toml(loaded, origin), format_)


@app.command()
def check(path: Annotated[str | None, typer.Argument()] = None) -> None:
    """Check the settings in effect here, in a folder, or in one file; pattern folders too.

    Prints every error and exits with 1 if there is one; warns of files and keys that are ignored.

    Examples:

        groundwire config check

        groundwire config check .groundwire.toml

    Options:
        path [PATH]: One settings file, or a folder.
    """
    loaded, errors = _check(path)
    for warning in loaded.warnings:
        typer.echo(f"warning: {warning}", err=True)
    for error in errors:
        typer.echo(error)
    if errors:
        raise typer.Exit(1)
    files = ", ".join(map(show_path, loaded.files)) or "no settings files"
    typer.echo(f"ok: {files}")


@app.command()
def schema() -> None:
    """Print the JSON schema of a settings file, for editors.

    Example:

        groundwire config schema > groundwire.schema.json
    """
    from groundwire.settings.schema import json_schema  # pydantic is slow to load

    names = known_names()
    _print(json.dumps(json_schema(names.markers, names.filters), indent=2), "json")


def _profiled_settings(loaded: Loaded, conditions: list[str]) -> tuple[Loaded, str]:
    """Return the settings as the profiles make them, and which of these hold."""
    facts = {"project": os.getcwd(), "host": "claude-code"}
    for condition in conditions:
        name, equals, value = condition.partition("=")
        if not equals or name not in FACTS:
            allowed = ", ".join(f"{fact}=..." for fact in FACTS)
            raise UsageError(f"--for: {condition!r}: allowed: {allowed}")
        facts[name] = value
    places = [str(at + 1) for at in matching(loaded.settings, facts)]
    settings = profiled(loaded.settings, facts)
    document = from_settings(settings)
    before = dict(leaves(loaded.document))
    changed = [path for path, value in leaves(document) if before.get(path) != value]
    origin = Origin(f"profile {', '.join(places)}")
    origins = {**loaded.origins, **dict.fromkeys(changed, origin)}
    count = len(loaded.settings.profiles)
    text = f"profiles that hold: {', '.join(places)}, of {count}" if places else "no profile holds"
    agent = facts.get("agent", MAIN)
    event = Event(STOP if agent == MAIN else SUBAGENT_STOP, agent_type=agent)
    text += f"; mode of such a turn: {mode_of(event, settings)}"
    return loaded.replace(document=document, origins=origins), text


def _check(path: str | None) -> tuple[Loaded, list[str]]:
    if path is None or os.path.isdir(path):
        folder = path or os.getcwd()
        sources = find_sources(os.environ, folder)
        loaded = resolve(sources, os.environ, folder)
        broken: list[str] = []
        layer = project_layer(sources, broken)
        used = layer.path if layer else ""
        ignored = passed_over(os.environ, used)
        own = [one for one in loaded.errors if used and one.startswith(f"{show_path(used)}: ")]
        if own or broken:
            ignored.append("the project's file counts for nothing as long as it has an error")
        return loaded.replace(warnings=(*loaded.warnings, *ignored)), list(loaded.errors)
    # by itself, as if it were the user's own: nothing is ignored for want of trust
    source = read_source(USER, os.path.abspath(path), required=True) or Source(USER, path)
    loaded = resolve([source], {"HOME": home_folder(os.environ)})
    errors = list(loaded.errors)
    if not errors and not loaded.files and os.path.basename(path) == PYPROJECT:
        errors.append(f"{show_path(source.path)}: no [tool.groundwire] table")
    return loaded, errors


def _as_json(loaded: Loaded, origin: bool) -> str:
    if not origin:
        return json.dumps(loaded.document, indent=2)
    origins = {
        show_key(path): {"layer": item.layer, "place": item.place}
        for path, item in loaded.origins.items()
    }
    return json.dumps({"settings": loaded.document, "origins": origins}, indent=2)


def _as_toml(loaded: Loaded, origin: bool) -> str:
    if not origin:
        return to_toml(loaded.document)
    return to_toml(loaded.document, {path: _comment(item) for path, item in loaded.origins.items()})


def _comment(origin: Origin) -> str:
    return f"{origin.layer}: {show_path(origin.place)}" if origin.place else origin.layer


def _print(text: str, language: str) -> None:
    if sys.stdout.isatty():
        Console().print(Syntax(text.rstrip("\n"), language, background_color="default"))
    else:
        typer.echo(text.rstrip("\n"))
