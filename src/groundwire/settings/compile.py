"""Compiling the settings of a folder for the hook; runs in a process of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence

from groundwire.base.digest import digest_parts
from groundwire.base.extras import MEMORY_STEPS, TURN_STEPS, references
from groundwire.base.paths import cache_folder, replace_file
from groundwire.base.settings import OFF, SHIPPED, Settings
from groundwire.hook.compiled import Compiled
from groundwire.hook.compiled_file import latest_path, read_compiled, write_compiled
from groundwire.hook.sources import PROJECT, Source, find_sources, key_of
from groundwire.settings.load import resolve

_KEPT = 64
_DAY_SECONDS = 86_400.0


def compile_settings(env: Mapping[str, str], cwd: str) -> tuple[str | None, Compiled]:
    """Load the settings for ``cwd``; return their key and what the hook needs of them.

    Errors do not raise: they are in ``Compiled.error``, one a line, so that the hook can tell
    them. What is wrong in a project's file only makes that file count for nothing, which a warning
    tells: it must not switch off what the layers below it say.
    """
    sources = find_sources(env, cwd)
    key = key_of(sources, env)
    loaded = resolve(sources, env, cwd)
    if not loaded.errors:
        compiled = Compiled(loaded.settings, loaded.rules, "", loaded.warnings, loaded.folders)
        return key, compiled.replace(steps=steps_of(loaded.settings))
    below = resolve([source for source in sources if source.layer != PROJECT], env, cwd)
    if below.errors:
        error = "\n".join(loaded.errors)
        return key, Compiled(SHIPPED, None, error, loaded.warnings, loaded.folders)
    ignored = (f"the project's settings are ignored: {error}" for error in loaded.errors)
    warnings = (*ignored, *below.warnings)
    compiled = Compiled(below.settings, below.rules, "", warnings, loaded.folders)
    return key, compiled.replace(steps=steps_of(below.settings))


def steps_of(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return the steps of extras that ``settings`` switch on.

    A step has the name of the table of settings that it belongs to; one of another name is on.
    """
    off = {
        name
        for name, is_on in (
            ("judge", settings.judge.when != OFF),
            ("composite", settings.composite.enabled),
            ("advisory", settings.advisory.enabled),
            ("reinforcement", settings.reinforcement.enabled),
        )
        if not is_on
    }
    return tuple(
        (group, reference)
        for group in (TURN_STEPS, MEMORY_STEPS)
        for name, reference in sorted(references(group).items())
        if name not in off
    )


def compile_to_cache(env: Mapping[str, str], cwd: str) -> bool:
    """Compile the settings for ``cwd`` into the cache folder; False when it cannot be written."""
    folder = cache_folder(env)
    key, compiled = compile_settings(env, cwd)
    if folder is None or key is None:
        return False
    written = store_compiled(folder, key, compiled, find_sources(env, cwd))
    prune_cache(folder)
    return written


def store_compiled(folder: str, key: str, compiled: Compiled, sources: Sequence[Source]) -> bool:
    """Write ``compiled`` and note it as the last good one; False when it cannot be written.

    A pattern folder can break while no settings file changes. Then the error takes the file of
    the good ones, which are kept under another key until they are compiled anew.
    """
    latest = latest_path(folder, sources)
    if compiled.error:
        previous = read_compiled(folder, key, stale=True)
        if previous is not None and not previous.error:
            kept_key = digest_parts((key, "last good"))
            write_compiled(folder, kept_key, previous)
            replace_file(latest, kept_key.encode("ascii"))
    is_written = write_compiled(folder, key, compiled)
    if is_written and not compiled.error:
        replace_file(latest, key.encode("ascii"))
    return is_written


def prune_cache(folder: str) -> None:
    """Remove all but the newest compiled settings, and what crashed processes left behind."""
    now = time.time()
    entries: dict[str, list[tuple[float, str]]] = {"settings-": [], "latest-": []}
    for entry in os.scandir(folder):
        kind = next((one for one in entries if entry.name.startswith(one)), None)
        if kind is None:
            continue
        age = now - entry.stat().st_mtime
        if entry.name.endswith(".bin") or not entry.name.count("."):
            entries[kind].append((age, entry.path))
        elif age > _DAY_SECONDS:
            _remove(entry.path)
    for files in entries.values():
        for _, path in sorted(files)[_KEPT:]:
            _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another process was faster
