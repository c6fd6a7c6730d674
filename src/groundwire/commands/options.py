"""Options that several commands share, and the settings that they make.

Options:
    --format: How to report.
    --set KEY=VALUE: One setting for this run, such as thresholds.report=40; may be repeated.
    --patterns DIR: An additional folder of pattern files; may be repeated.
    --baseline FILE: Leave out the findings that this file accepts.
    --docs-url URL: With sarif: address of the built pages, for helpUri.
    --together GLOB: Repositories left out together; may be repeated.
    --shipped: Ignore this machine's settings files and environment variables.
    --provider NAME: claude-code (the default), anthropic, openai, azure.
    --model NAME: The model; the provider's small one.
    --base-url URL: A server of your own, by OpenAI's API.
    --limit-per-day N: Turns looked at a day, at most.
    which [last|SESSION]: The last one, or that of a session.
    folders [DIR]...: Additional pattern folders.
    --db URL: sqlite:///PATH or postgresql://USER@HOST/NAME; without it, groundwire.db in the state
      folder.
    --today DATE: Count from this day instead of today.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Literal

import typer

from groundwire.base.errors import ConfigError
from groundwire.settings.runtime import Runtime, load_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


#: What the help says of an option whose command says nothing.
SHARED = __doc__ or ""
TextOrJson = Literal["text", "json"]
Set = list[str] | None
Patterns = list[str] | None
#: The spellings before ``--format``; they go with version 0.3.
OldJson = Annotated[bool, typer.Option("--json", hidden=True)]
OldText = Annotated[bool, typer.Option("--text", hidden=True)]


def agreed(question: str) -> bool:
    """Ask yes or no; nobody who answers is a no."""
    try:
        return typer.confirm(question)
    except typer.Abort:
        typer.echo()
        return False


def given(ctx: typer.Context) -> list[str]:
    """Return the options of the command line in the order of --help, also with a default's value.

    A flag is there by the name that comes first, such as --json.
    """
    named = {one.name: one.opts[0] for one in ctx.command.params if one.opts[0].startswith("-")}
    sources = {name: ctx.get_parameter_source(name) for name in named if name}
    return [named[name] for name, one in sources.items() if one and one.name == "COMMANDLINE"]


def refuse_given(ctx: typer.Context, options: Iterable[str], why: str) -> None:
    """Raise BadParameter, which ends with ``why``, when one of ``options`` was given."""
    refused = [one for one in given(ctx) if one in options]
    if refused:
        raise typer.BadParameter(f"{', '.join(refused)}: {why}")


def runtime_for(
    assignments: Sequence[str] | None,
    threshold: str | None = None,
    patterns: Sequence[str] | None = None,
    *,
    once: bool = False,
) -> Runtime:
    """Load the settings of this folder, the environment and these flags; tell their warnings.

    ``once`` is for a process that scans one text. Raises ConfigError.
    """
    runtime = load_runtime(flag_settings(assignments, threshold, patterns), once=once)
    for warning in runtime.warnings:
        print(f"groundwire: warning: {warning}", file=sys.stderr)  # noqa: T201
    return runtime


def flag_settings(
    assignments: Sequence[str] | None,
    threshold: str | None = None,
    patterns: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the nested settings that flags ask for; raises ConfigError for a bad assignment."""
    flags = parse_assignments(assignments or (), "--set", "mode=report")
    if threshold is not None:
        _put(flags, ["thresholds", "report"], _value(threshold))
    if patterns:
        _put(flags, ["patterns", "folders"], list(patterns))
    return flags


def parse_assignments(assignments: Sequence[str], source: str, example: str) -> dict[str, Any]:
    """Return the nested values of KEY=VALUE texts, keys dotted and values in TOML or plain text.

    Raises ConfigError that begins with ``source``.
    """
    nested: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        path = _path(key) if equals else []
        if not path:
            raise ConfigError(f"{source}: {assignment!r}: allowed: KEY=VALUE, as in {example}")
        _put(nested, path, _value(value.strip()), source)
    return nested


def _path(key: str) -> list[str]:
    """Return the parts of a dotted TOML key, in which a name may be quoted; [] when it is none."""
    import tomllib

    try:
        table = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return []
    path: list[str] = []
    while isinstance(table, dict):
        if len(table) != 1:  # a line break would carry a second key
            return []
        [(name, table)] = table.items()
        path.append(name)
    return path


def _put(flags: dict[str, Any], path: Sequence[str], value: Any, source: str = "--set") -> None:
    table = flags
    for name in path[:-1]:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            key = ".".join(path)
            raise ConfigError(f"{source}: {key}: {name!r} is a value already, not a table")
    table[path[-1]] = value


def _value(text: str) -> Any:
    """Read a TOML value; anything that is none is a plain string."""
    import tomllib

    try:
        document = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return document["value"] if len(document) == 1 else text
