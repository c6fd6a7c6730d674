"""The program, the plugin's environment, the settings in effect, and who may stop a turn."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import groundwire
from groundwire.base.paths import cache_folder
from groundwire.base.rules.weights import ACCUSERS
from groundwire.commands.checks.finding import Finding, Surroundings, found
from groundwire.hook.accuser_votes import lost_rights
from groundwire.hook.compiled import settings_key
from groundwire.hook.compiled_file import last_good, read_compiled
from groundwire.hook.sources import find_sources
from groundwire.settings.load import Loaded, resolve
from groundwire.settings.toml_text import show_key, show_path, show_value


def program_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield which groundwire runs, and by which interpreter."""
    yield found(
        "program.running",
        version=groundwire.__version__,
        home=Path(groundwire.__file__).parent,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        interpreter=sys.executable,
    )
    if sys.platform == "win32":
        yield found("program.windows")
    if not shutil.which("claude", path=place.env.get("PATH", "")):
        yield found("program.no-client")


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


_MOST_SHOWN = 12


def load_settings(place: Surroundings) -> Loaded:
    """Return the settings for the folder; what is wrong is in ``errors`` and ``warnings``."""
    folder = str(place.folder)
    return resolve(find_sources(place.env, folder), place.env, folder)


def settings_findings(place: Surroundings, loaded: Loaded) -> Iterator[Finding]:
    """Yield the files, what they set, what is wrong with them, and the compiled rules."""
    for error in loaded.errors:
        yield found("settings.error", error=error)
    for warning in loaded.warnings:
        text, _, command = warning.partition(": run ")
        yield found("settings.warning", remedy=command, warning=text)
    if not loaded.errors:
        yield found("settings.origin", origin=_origin_text(loaded))
    if loaded.settings.mode != "enforce" and not loaded.errors:
        yield found("settings.mode", mode=loaded.settings.mode)
    yield from _compiled_findings(place, broken=bool(loaded.errors))


def _origin_text(loaded: Loaded) -> str:
    """Return where the values come from that are not the default."""
    changed = [(path, one) for path, one in loaded.origins.items() if one.layer != "default"]
    if not changed:
        return "the shipped ones"
    files = ", ".join(map(show_path, loaded.files)) or "the environment"
    values = [
        f"{show_key(path)} = {show_value(_value(loaded, path))} ({one.layer})"
        for path, one in changed[:_MOST_SHOWN]
    ]
    more = f" and {len(changed) - _MOST_SHOWN} more" if len(changed) > _MOST_SHOWN else ""
    return f"from {files}: {', '.join(values)}{more}"


def _value(loaded: Loaded, path: tuple[str | int, ...]) -> object:
    value: object = loaded.document
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _compiled_findings(place: Surroundings, *, broken: bool) -> Iterator[Finding]:
    """Yield whether the hook finds these settings compiled."""
    key_and_files = settings_key(place.env, str(place.folder))
    if key_and_files is None or broken:
        return
    cache = cache_folder(place.env)
    compiled = read_compiled(cache, key_and_files[0]) if cache else None
    if compiled is None:
        until = "last good" if last_good(place.env, str(place.folder)) else "shipped"
        folder = shlex.quote(str(place.folder))
        yield found("settings.not-compiled", until=until, folder=folder)
    elif compiled.error:
        yield found("settings.cannot-compile", error=compiled.error)
    else:
        yield found("settings.compiled", rules="own" if compiled.rules else "shipped")


def accuser_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield who may stop a turn, who only reports, and who lost the right on this machine."""
    lost = lost_rights(place.env, ACCUSERS)
    stopping = [name for name, stops in ACCUSERS.items() if stops and name not in lost]
    yield found("accusers.stopping", names=", ".join(stopping) or "none")
    if reporting := [name for name, stops in ACCUSERS.items() if not stops]:
        yield found("accusers.reporting", names=", ".join(reporting))
    for name in sorted(lost):
        yield found("accusers.lost", name=name)
