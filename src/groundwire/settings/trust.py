"""What a project may change by itself, and the list of projects that may change more.

Opening a repository must not weaken the checks. A project file may tighten freely; what loosens,
compared with the layers below it, counts only when the file is on the trust list with its present
content. Loosening is

- a mode that does less (enforce > report > off), for the session or for sub-agents, or that does
  more than a user asked for who set less than what is shipped;
- a threshold raised; any other number of blocks per prompt;
- a kind or marker switched off, a filter switched on again (a filter makes matches fewer);
- an allowlist entry that was not there below;
- a strength or a number of ``bare`` lowered; a weight or a feature lowered, or any change to a
  weight of what can also make a match milder, because then more weight loosens too;
- a profile that would loosen the settings, or a profile below, in any of the same ways;
- any change to the pattern folders: pattern files can hold blockers;
- any change to the expressions: one can take the place of a stronger marker, and they cost time;
- an agent type taken from the enforced ones;
- any change to the log, which is that of all projects;
- any change to what a turn may cost: with less, more goes unchecked; with more, turns are slow;
- any change to the judge but switching it off: it costs, and sends what tools returned elsewhere;
- a confidence threshold lowered, and any other change to the composite confidence that does not
  switch it on or let it stop turns.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from groundwire.base.digest import digest
from groundwire.base.errors import ConfigError
from groundwire.base.paths import replace_file
from groundwire.base.record import Record
from groundwire.base.rules.weights import FEATURES
from groundwire.base.settings import MODES
from groundwire.hook.compiled_file import folder_digest
from groundwire.hook.sources import ABSENT, Source
from groundwire.settings.layers import Document, Layer
from groundwire.settings.toml_text import KeyPath, show_path, show_value

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


#: Factors whose value is never negative (DESIGN section 5): more weight is more suspicion.
_ONLY_SUSPICION = ("context_density", "category_stacking")
#: The feature whose value has both signs: that of a faint marker is negative.
_STRENGTH: KeyPath = ("features", "strength")
#: Tables of names that are on where they are not set.
_SWITCHES = ("kinds", "markers", "filters")
_FOLDERS: KeyPath = ("patterns", "folders")
_PROFILES: KeyPath = ("profile",)


class Loosening(Record):
    """One key of a project file that weakens the checks: what holds below it, what it sets."""

    path: KeyPath
    below: Any
    value: Any


def loosenings(below: Mapping[str, Any], project: Mapping[str, Any]) -> list[Loosening]:
    """Return every key of the valid document ``project`` that loosens.

    ``below`` is the complete document of the layers under it; pattern folders in both are
    absolute.
    """
    entries = []
    for path, value in leaves(project):
        old = _get(below, path)
        is_profiles = path == _PROFILES
        if _profiles_loosen(below, value) if is_profiles else _loosens(path, old, value):
            entries.append(Loosening(path, old, value))
    return entries


def _profiles_loosen(below: Mapping[str, Any], profiles: Any) -> bool:
    """Tell whether one of the ``profiles`` loosens what is below, or what a profile there says."""
    bases = [below, *(_with_profile(below, one) for one in below["profile"])]
    return any(loosenings(one, _settings_of(profile)) for one in bases for profile in profiles)


def _with_profile(below: Mapping[str, Any], profile: Mapping[str, Any]) -> Document:
    parts = _settings_of(profile)
    tables = {
        name: {**below[name], **value} if isinstance(value, dict) else value
        for name, value in parts.items()
    }
    return {**below, **tables}


def _settings_of(profile: Mapping[str, Any]) -> Document:
    return {name: value for name, value in profile.items() if name != "match"}


def leaves(document: Mapping[str, Any], path: tuple[str, ...] = ()) -> list[tuple[KeyPath, Any]]:
    """Return key path and value of everything in ``document`` that is no table."""
    values: list[tuple[KeyPath, Any]] = []
    for key, value in document.items():
        if isinstance(value, dict):
            values.extend(leaves(value, (*path, key)))
        else:
            values.append(((*path, key), value))
    return values


def remove_key(document: Document, path: KeyPath) -> Document:
    """Return a copy of ``document`` without the key at ``path``."""
    key, *rest = path
    if not rest:
        return {other: value for other, value in document.items() if other != key}
    return {**document, str(key): remove_key(document[str(key)], tuple(rest))}


def settings_digest(document: Mapping[str, Any]) -> str:
    """Return the digest of what a file sets; comments, order and other tables do not count."""
    return digest(json.dumps(document, sort_keys=True, default=str).encode())


def entry_for(project: Layer) -> Trusted:
    """Return the trust entry that fits the present content of a resolved ``project``."""
    folders = project.document.get("patterns", {}).get("folders", ())
    return Trusted(
        settings_digest(project.document),
        tuple((folder, folder_digest(folder)) for folder in sorted(set(folders))),
    )


def apply_trust(
    project: Layer, below: Mapping[str, Any], trusted: Trusted | None
) -> tuple[Layer, list[str]]:
    """Drop what loosens from a ``project`` that is not trusted; return a warning for each key.

    A trusted project whose pattern folders have changed loses only these.
    """
    why = "it is not trusted"
    only_folders = False
    if trusted is not None:
        present = entry_for(project)
        if trusted == present:
            return project, []
        only_folders = trusted.settings == present.settings
        what = "its pattern folders have" if only_folders else "it has"
        why = f"{what} changed since it was trusted"
    remedy = (
        f"ignored, because it loosens and {why}: run groundwire trust {shlex.quote(project.path)}"
    )
    document, warnings = project.document, []
    for item in loosenings(below, document):
        if only_folders and item.path != _FOLDERS:
            continue
        document = remove_key(document, item.path)
        warnings.append(project.error(item.path, f"{describe(item)}: {remedy}"))
    return project.replace(document=document), warnings


def describe(item: Loosening) -> str:
    """Return what ``item`` changes, for a person."""
    return f"value {show_value(item.value)} in place of {show_value(item.below)}"


def _get(document: Mapping[str, Any], path: KeyPath) -> Any:
    """Return the value at ``path``, or what holds for a name that is not there.

    Markers and filters are on, features weigh what is shipped, and agent types have the default
    threshold.
    """
    value: Any = document
    for part in path:
        if part not in value and path[:2] == ("composite", "thresholds"):
            return document["composite"]["default_threshold"]
        if part not in value and path[0] == "features":
            return FEATURES.get(str(part), (0.0, ""))[0]
        value = value.get(part, True if path[0] in _SWITCHES else None)
    return value


def _loosens(path: KeyPath, old: Any, new: Any) -> bool:
    table = path[0]
    if path == ("mode",):
        return bool(new != old)  # below what is shipped, it is the user who wants less
    if path == ("subagents", "mode"):
        return old == MODES[-1] != new or MODES.index(new) > MODES.index(old)
    if table == "thresholds":
        return bool(new > old)
    if (table == "weights" and path[1] not in _ONLY_SUSPICION) or path == _STRENGTH:
        return bool(new != old)
    if table in ("strengths", "features", "weights", "context", "bare"):
        return bool(new < old)
    if table in ("kinds", "markers"):
        return bool(old and not new)
    if table == "filters":
        return bool(new and not old)
    if table == "allow":
        return any(_marker_and_phrase(entry) not in map(_marker_and_phrase, old) for entry in new)
    if table == "composite":
        return _loosens_composite(path[1:], old, new)
    if table in ("blocks_per_prompt", "log", "limits", "expression"):
        return bool(new != old)
    if table == "judge":
        return bool(new != old) and (path, new) != (("judge", "when"), "off")
    if path == ("subagents", "enforce"):
        return not set(old) <= set(new)
    return path == _FOLDERS and new != old


def _loosens_composite(path: KeyPath, old: Any, new: Any) -> bool:
    if path[0] in ("enabled", "may_block"):
        return bool(old and not new)
    if path[0] in ("default_threshold", "thresholds"):
        return bool(new < old)
    return bool(new != old)


def _marker_and_phrase(entry: Mapping[str, str]) -> tuple[str, str]:
    return entry.get("marker", ""), entry.get("phrase", "")
