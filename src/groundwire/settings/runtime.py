"""What every command needs: the settings in effect and the scanner for their rules."""

from __future__ import annotations

import os

from groundwire.base.record import Record
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED, Settings
from groundwire.hook.sources import find_sources, key_of
from groundwire.language.automaton import Scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Runtime(Record):
    """The settings in effect, the scanner for their rules, and what the user is told of them."""

    settings: Settings
    scanner: Scanner
    warnings: tuple[str, ...] = ()


def load_runtime(flags: Mapping[str, Any] | None = None, *, once: bool = False) -> Runtime:
    """Load the settings of this folder, environment and ``flags``; raises ConfigError.

    ``once`` is for a process that scans one text.
    """
    folder = os.getcwd()
    if not flags and key_of(find_sources(os.environ, folder), os.environ) is None:
        return Runtime(SHIPPED, Scanner(shipped_rules(), once=once))
    from groundwire.settings.load import load  # with what parses files and tells their errors

    loaded = load(os.environ, folder, flags)
    scanner = Scanner(loaded.rules or shipped_rules(), once=once)
    return Runtime(loaded.settings, scanner, loaded.warnings)
