"""Changing the settings of the user or a project by a command, from the next turn on."""

from __future__ import annotations

import os
import shlex
import tomllib
from pathlib import Path

from groundwire.base.errors import ConfigError
from groundwire.base.files import Skipped, TextFile, create_text, read_text_file, replace_text
from groundwire.base.paths import config_folder, state_folder
from groundwire.hook.compiled import settings_key
from groundwire.hook.memory import SessionState
from groundwire.hook.session import with_session, without_session
from groundwire.hook.sources import (
    PROJECT,
    PROJECT_FILE,
    PYPROJECT,
    USER,
    USER_FILE,
    Source,
    find_sources,
    project_sources,
)
from groundwire.settings.compile import compile_to_cache
from groundwire.settings.load import project_layer, resolve
from groundwire.settings.project import inspect_project, trust_list, trust_path
from groundwire.settings.toml_text import show_path, with_changes
from groundwire.settings.trust import entry_for, write_trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PYPROJECT_TABLE = ("tool", "groundwire")


def user_file(env: Mapping[str, str]) -> str:
    """Return the path of the user's settings file; raises ConfigError without a home folder."""
    folder = config_folder(env)
    named = env.get(USER_FILE)
    if not (named or folder):
        raise ConfigError("settings: no home folder: set HOME or GROUNDWIRE_CONFIG_DIR")
    return os.path.realpath(named or os.path.join(folder or "", "config.toml"))


def project_file(env: Mapping[str, str], folder: str) -> str:
    """Return the path of the settings file that holds for a project, or that it would get."""
    layer = project_layer(project_sources(env, folder), [])
    return layer.path if layer else os.path.join(os.path.realpath(folder), PROJECT_FILE)


def change_settings(
    env: Mapping[str, str], folder: str, path: str, changes: Mapping[str, Any], layer: str = USER
) -> None:
    """Add ``changes`` to the settings file ``path`` of a ``layer``, once they are found valid.

    A project's file stays on the trust list, or comes on it when nothing else in it loosens the
    checks. Raises ConfigError, also when the file is not trusted and loosens other things, and
    FileError; the file then stands as it was.
    """
    if layer == PROJECT and os.path.exists(path):
        _require_trust(env, path)
    file = read_text_file(Path(path)) if os.path.lexists(path) else None
    if isinstance(file, Skipped):
        raise ConfigError(f"{show_path(path)}: {file.reason}: allowed: TOML in UTF-8")
    prefix = _PYPROJECT_TABLE if os.path.basename(path) == PYPROJECT else ()
    try:
        text = with_changes(file.text if file else "", changes, prefix)
    except (ConfigError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{show_path(path)}: {error}") from None
    others = [source for source in find_sources(env, folder) if source.path != path]
    errors = resolve([Source(layer, path, text.encode()), *others], env, folder).errors
    if errors:
        raise ConfigError("\n".join(errors))
    _write(path, file, text)
    if layer == PROJECT:
        entry = entry_for(inspect_project(env, path).layer)
        write_trust(trust_path(env), {**trust_list(env), path: entry})


def take_effect(env: Mapping[str, str], folder: str, session: str) -> bool:
    """Let the present settings of ``folder`` hold from the next turn of ``session`` on.

    They are compiled first, as the hook reads them. False when the session is not remembered, so
    that they hold from its next start on.
    """
    env = with_session(env, session)
    compile_to_cache(env, folder)
    key_and_files = settings_key(env, folder)
    state = SessionState(state_folder(env), session)
    try:
        is_remembered = state.memory.settings_key is not None
        if is_remembered:
            state.save(state.memory.replace(settings_key=key_and_files[0] if key_and_files else ""))
        return is_remembered and not state.problem
    finally:
        state.close()


def reach_sessions(env: Mapping[str, str]) -> str:
    """Let the present settings hold from the next turn on of every session that is remembered.

    They are compiled first. Returns "", or why sessions keep the settings of before.
    """
    env, folder = without_session(env), state_folder(env)
    ready: set[str] = set()
    try:
        _compiled_key(env, "/", ready)
        for name in _remembered_files(folder) if folder else ():
            _renew_session(SessionState(folder, "", name), env, ready)
    except OSError as error:
        return str(error)
    return ""


def _remembered_files(folder: str) -> list[str]:
    """Return the names of the files of all sessions that are remembered. Raises OSError."""
    try:
        return [one for one in os.listdir(f"{folder}/sessions") if one.endswith(".json")]
    except FileNotFoundError:
        return []


def _renew_session(state: SessionState, env: Mapping[str, str], ready: set[str]) -> None:
    """Give one session the present settings; ``ready`` are the keys that are compiled."""
    try:
        session_env = {**env, **dict(state.memory.environment)}
        place = session_env.get("CLAUDE_PROJECT_DIR")
        # a session whose folder is not known finds them itself at its next event
        key = _compiled_key(session_env, place, ready) if place else None
        if state.memory.settings_key is not None:
            state.save(state.memory.replace(settings_key=key))
        if state.problem:
            raise OSError(state.problem)
    finally:
        state.close()


def _compiled_key(env: Mapping[str, str], folder: str, ready: set[str]) -> str:
    """Compile the settings of ``folder`` unless they are ``ready``; return their key, "" for none.

    Raises OSError when they cannot be kept.
    """
    key_and_files = settings_key(env, folder)
    if key_and_files and key_and_files[0] not in ready:
        if not compile_to_cache(env, folder):
            raise OSError("the compiled settings cannot be written to the cache folder")
        ready.add(key_and_files[0])
    return key_and_files[0] if key_and_files else ""


def _require_trust(env: Mapping[str, str], path: str) -> None:
    project = inspect_project(env, path)
    if project.loosenings and trust_list(env).get(path) != entry_for(project.layer):
        keys = ", ".join(project.layer.key(item.path) for item in project.loosenings)
        raise ConfigError(
            f"{show_path(path)}: not trusted, and it loosens {keys}: "
            f"run groundwire trust {shlex.quote(path)} first"
        )


def _write(path: str, file: TextFile | None, text: str) -> None:
    if file:
        replace_text(file, text)
        return
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    create_text(Path(path), text)
