"""Whether the environment that the plugin builds for itself is ready."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from groundwire.commands.checks.finding import BROKEN, NOTE, OK, Finding, Surroundings

AREA = "hook"
_REBUILD = "start a new session, which builds it again"


def plugin_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield what the data folders of the plugin say, as its builder leaves them."""
    yield Finding(AREA, OK, "registered by the plugin groundwire")
    folders = sorted(_plugin_folder(place).glob("data/groundwire*"))
    ready = [path for folder in folders for path in folder.glob("ready-*")]
    failed = [
        path for folder in folders for name in ("failed-*", "told-*") for path in folder.glob(name)
    ]
    if ready:
        yield _ready_finding(max(ready, key=_age))
    elif failed:
        text = max(failed, key=_age).read_text(encoding="utf-8", errors="replace").strip()
        yield Finding(AREA, BROKEN, f"the plugin could not be built: {text}", _REBUILD)
    else:
        text = "the plugin's environment is not built yet: turns end unchecked until then"
        yield Finding(AREA, NOTE, text, "start a session, and wait a minute or two")


def _plugin_folder(place: Surroundings) -> Path:
    home = place.env.get("HOME") or place.env.get("USERPROFILE") or "/nonexistent"
    return Path(place.env.get("CLAUDE_CONFIG_DIR") or Path(home, ".claude"), "plugins")


def _ready_finding(marker: Path) -> Finding:
    """Return whether the interpreter and the file that a marker names are there."""
    lines = marker.read_text(encoding="utf-8", errors="replace").splitlines()
    missing = [path for path in lines[:2] if not os.path.isfile(path)]
    if len(lines) < 2 or missing:
        text = f"{marker} names {missing[0] if missing else 'nothing'}, which does not exist"
        return Finding(AREA, BROKEN, text, _REBUILD)
    return Finding(AREA, OK, f"the plugin's environment is ready: {lines[0]}")


def _age(path: Path) -> float:
    return path.stat().st_mtime
