"""Options that several commands share, and the settings that they make."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from groundwire.errors import ConfigError

Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="One setting for this run, such as thresholds.report=40; may be repeated.",
    ),
]
Patterns = Annotated[
    list[str] | None,
    typer.Option(metavar="DIR", help="A further folder of pattern files; may be repeated."),
]


def flag_settings(
    assignments: Sequence[str] | None,
    threshold: int | None = None,
    patterns: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the nested settings that flags ask for; raises ConfigError for a bad assignment."""
    flags: dict[str, Any] = {}
    for assignment in assignments or ():
        key, equals, value = assignment.partition("=")
        if not equals or not key.strip():
            raise ConfigError(f"--set: {assignment!r}: allowed: KEY=VALUE, as in mode=report")
        _put(flags, key.strip(), _value(value.strip()))
    if threshold is not None:
        _put(flags, "thresholds.report", threshold)
    if patterns:
        _put(flags, "patterns.folders", list(patterns))
    return flags


def _put(flags: dict[str, Any], dotted: str, value: Any) -> None:
    *path, last = dotted.split(".")
    table = flags
    for name in path:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise ConfigError(f"--set: {dotted}: {name!r} is a value already, not a table")
    table[last] = value


def _value(text: str) -> Any:
    """Read a TOML value; anything that is none is a plain string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
