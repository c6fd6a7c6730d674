"""The settings that flags of the command line make."""

from __future__ import annotations

import sys

from groundwire.base.errors import ConfigError
from groundwire.settings.runtime import Runtime, load_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


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
