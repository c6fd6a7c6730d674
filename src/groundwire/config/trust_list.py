"""The trust list: which project files were trusted, with which content (``trusted.json``)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from groundwire.config.words import show_path
from groundwire.errors import ConfigError
from groundwire.record import Record
from groundwire.state.paths import replace_file
from groundwire.state.sources import ABSENT, Source

_SCHEMA = 1


class Trusted(Record):
    """One entry of the trust list: the digests of the settings and of their pattern folders."""

    settings: str
    folders: tuple[tuple[str, str], ...] = ()


def read_trust(source: Source | None) -> dict[str, Trusted]:
    """Parse the trust list; raises ConfigError when it is damaged."""
    if source is None or source.problem == ABSENT:
        return {}
    place = show_path(source.path)
    if source.problem:
        raise ConfigError(f"{place}: {source.problem}")
    try:
        data = json.loads(source.data)
        if data["schema"] != _SCHEMA:
            raise ValueError(f"schema {data['schema']!r}, allowed: {_SCHEMA}")
        return {
            path: Trusted(str(entry["settings"]), tuple(sorted(dict(entry["folders"]).items())))
            for path, entry in dict(data["files"]).items()
        }
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ConfigError(
            f"{place}: not a trust list ({error}): delete it and trust the projects again"
        ) from None


def write_trust(path: str, entries: Mapping[str, Trusted]) -> None:
    """Write the trust list atomically, mode 0600; raises ConfigError when that fails."""
    files = {
        name: {"settings": entry.settings, "folders": dict(entry.folders)}
        for name, entry in sorted(entries.items())
    }
    text = json.dumps({"schema": _SCHEMA, "files": files}, indent=2)
    try:
        replace_file(path, f"{text}\n".encode())
    except OSError as error:
        raise ConfigError(f"{show_path(path)}: cannot be written: {error.strerror}") from error
