"""One project file looked at by itself: what it sets, what it loosens, whether it is trusted."""

from __future__ import annotations

import os
from collections.abc import Mapping

from groundwire.base.errors import ConfigError
from groundwire.base.paths import config_folder, home_folder
from groundwire.base.record import Record
from groundwire.hook.sources import (
    PROJECT,
    PROJECT_FILE,
    PYPROJECT,
    TRUST,
    TRUST_FILE,
    USER,
    USER_FILE,
    find_sources,
    project_sources,
    read_source,
)
from groundwire.settings.layers import Layer, without_renamed
from groundwire.settings.load import NamesOf, project_layer, resolve, valid_layer
from groundwire.settings.names import known_names
from groundwire.settings.toml_text import show_path
from groundwire.settings.trust import Loosening, Trusted, entry_for, loosenings, read_trust

NAMES = (PROJECT_FILE, PYPROJECT)

CURRENT = "trusted"
CHANGED = "changed since it was trusted, so it is not"
GONE = "cannot be read"


class Project(Record):
    """A valid project file and the keys in it that loosen what the layers below it say."""

    layer: Layer
    loosenings: tuple[Loosening, ...]


def inspect_project(env: Mapping[str, str], path: str, names: NamesOf = known_names) -> Project:
    """Read the project file ``path``, or the one that holds for the folder ``path``.

    Raises ConfigError when there is none, or when it or a layer below it is invalid.
    """
    errors: list[str] = []
    layer = _read_layer(env, path, errors)
    if errors:
        raise ConfigError("\n".join(errors))
    if layer is None:
        raise ConfigError(f"{show_path(path)}: no settings: allowed: {_allowed_text()}")
    home = {"HOME": home_folder(env)}  # the variables of this shell are not the project's
    files = [item for item in find_sources(env, path) if item.layer not in (PROJECT, TRUST)]
    # read as if it were the user's own file, it is checked the way it will count
    own = [item for item in (read_source(USER, layer.path),) if item is not None]
    errors.extend(resolve([*files, *own], home, names=names).errors)
    valid = valid_layer(layer, home_folder(env), errors)
    if errors or valid is None:
        raise ConfigError("\n".join(dict.fromkeys(errors)))
    below = resolve(files, home, names=names).document
    return Project(valid, tuple(loosenings(below, valid.document)))


def identities(env: Mapping[str, str], path: str) -> list[str]:
    """Return the names under which ``path`` may stand on the trust list, the likeliest first."""
    if not os.path.isdir(path):
        return [_canonical(path)]
    paths = [os.path.join(os.path.realpath(path), name) for name in NAMES]
    return paths + [source.path for source in project_sources(env, path)]


def passed_over(env: Mapping[str, str], used: str) -> list[str]:
    """Return the settings files that do not count, each with the reason.

    ``used`` is the project's file that does, "" without one.
    """
    lines = []
    own = config_folder(env)
    named = env.get(USER_FILE)
    shipped = os.path.join(own, "config.toml") if own else ""
    if named and shipped and os.path.exists(shipped) and _canonical(shipped) != _canonical(named):
        lines.append(f"{show_path(shipped)}: ignored, because {USER_FILE} names {show_path(named)}")
    if used:
        place, name = os.path.split(used)
        beside = read_source(PROJECT, os.path.join(place, PYPROJECT))
        others = [beside] if beside and name == PROJECT_FILE else []
        if not os.path.lexists(os.path.join(place, ".git")):
            others += project_sources(env, os.path.dirname(place))
        lines += [
            f"{show_path(one.path)}: ignored, because {show_path(used)} is nearer"
            for one in others
            if one.path != used and (one.problem or project_layer([one], []))
        ]
    return lines


def trust_path(env: Mapping[str, str]) -> str:
    """Return the path of the trust list; raises ConfigError without a home folder."""
    folder = config_folder(env)
    if folder is None:
        raise ConfigError("trust list: no home folder: set HOME or GROUNDWIRE_CONFIG_DIR")
    return os.path.join(folder, TRUST_FILE)


def trust_list(env: Mapping[str, str]) -> dict[str, Trusted]:
    """Read the trust list; raises ConfigError when it is damaged."""
    return read_trust(read_source(TRUST, trust_path(env)))


def standing(env: Mapping[str, str], path: str, entry: Trusted) -> str:
    """Tell whether the trusted file ``path`` still has the content of its ``entry``."""
    errors: list[str] = []
    layer = _read_layer(env, path, errors)
    valid = valid_layer(layer, home_folder(env), errors) if layer else None
    if valid is None:
        return GONE
    return CURRENT if entry_for(valid) == entry else CHANGED


def _read_layer(env: Mapping[str, str], path: str, errors: list[str]) -> Layer | None:
    layer = _find_layer(env, path, errors)
    return without_renamed(layer)[0] if layer else None


def _find_layer(env: Mapping[str, str], path: str, errors: list[str]) -> Layer | None:
    if os.path.isdir(path):
        return project_layer(project_sources(env, path), errors)
    if os.path.basename(path) not in NAMES:
        errors.append(f"{show_path(path)}: not a project's settings: allowed: {_allowed_text()}")
        return None
    source = read_source(PROJECT, _canonical(path), required=True)
    return project_layer([source] if source else [], errors)


def _canonical(path: str) -> str:
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _allowed_text() -> str:
    return f"a {PROJECT_FILE}, a {PYPROJECT} with [tool.groundwire], or a folder that has one"
