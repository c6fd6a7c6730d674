"""Whether the environment that the plugin builds for itself is ready."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from groundwire.commands.checks.finding import Finding, Surroundings, found


def plugin_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield what the data folders of the plugin say, as its builder leaves them."""
    yield found("hook.plugin")
    folders = sorted(_plugin_folder(place).glob("data/groundwire*"))
    ready = [path for folder in folders for path in folder.glob("ready-*")]
    failed = [
        path for folder in folders for name in ("failed-*", "told-*") for path in folder.glob(name)
    ]
    if ready:
        yield _ready_finding(max(ready, key=_age))
    elif failed:
        text = max(failed, key=_age).read_text(encoding="utf-8", errors="replace").strip()
        yield found("hook.plugin-failed", problem=text)
    else:
        yield found("hook.plugin-new")


def _plugin_folder(place: Surroundings) -> Path:
    home = place.env.get("HOME") or place.env.get("USERPROFILE") or "/nonexistent"
    return Path(place.env.get("CLAUDE_CONFIG_DIR") or Path(home, ".claude"), "plugins")


def _ready_finding(marker: Path) -> Finding:
    """Return whether the interpreter and the file that a marker names are there."""
    lines = marker.read_text(encoding="utf-8", errors="replace").splitlines()
    missing = [path for path in lines[:2] if not os.path.isfile(path)]
    if len(lines) < 2 or missing:
        return found("hook.plugin-gone", marker=marker, missing=[*missing, "nothing"][0])
    return found("hook.plugin-ready", interpreter=lines[0])


def _age(path: Path) -> float:
    return path.stat().st_mtime
