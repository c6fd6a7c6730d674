"""The shipped settings and rules alone, whatever this machine is set to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.base.errors import ConfigError
from groundwire.base.rules import shipped_rules
from groundwire.language.automaton import Scanner
from groundwire.settings.load import resolve
from groundwire.settings.runtime import Runtime


def shipped_runtime(flags: Mapping[str, Any] | None = None) -> Runtime:
    """Return the shipped defaults with ``flags`` on top; no file and no variable is read.

    Raises ConfigError for a flag that is not allowed.
    """
    loaded = resolve((), {}, "", flags)
    if loaded.errors:
        raise ConfigError("\n".join(loaded.errors))
    return Runtime(loaded.settings, Scanner(loaded.rules or shipped_rules()), loaded.warnings)
