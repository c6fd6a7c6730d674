"""The hook's settings that the server may change: ``admin.toml`` in the user's folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from groundwire.base.digest import digest
from groundwire.base.errors import ConfigError, ConflictError, StoreError
from groundwire.base.paths import config_folder, home_folder, replace_file, take_lock
from groundwire.hook.session import without_session
from groundwire.hook.sources import ADMIN, USER, Source, find_sources, read_source
from groundwire.settings.change import reach_sessions
from groundwire.settings.judge_models import address_problem
from groundwire.settings.layers import Layer, file_layer, without_renamed
from groundwire.settings.load import Loaded, Origin, load, resolve, valid_layer
from groundwire.settings.toml_text import show_key, show_path, to_toml
from groundwire_judge.setup import status_lines
from groundwire_server.admin.service.view import ChangeView, View
from groundwire_server.admin.store import history
from groundwire_server.admin.store.database import Store

FILE = "admin.toml"
_LOCK = "admin.lock"
_LOCK_SECONDS = 5.0  # a change takes milliseconds
_HEADER = "# Written by groundwire's admin server; the next change there replaces it.\n\n"
_TARGET = FILE
_UNCHECKED = "No turn is checked until the settings file with the problem is mended."


class HookSettingsView(View):
    """The hook's settings as the server may change them.

    ``settings`` is what holds outside of any project; ``origins`` names the layer and file of each
    value by its dotted key. ``admin`` is what admin.toml sets. ``version`` is a digest of that file
    and what a change has to name; it is empty when there is no file. ``late`` says after a change
    why the next turn has not the new settings: ``problems`` stop all checks, or why sessions that
    run keep those of before. It is empty when the next turn has them.
    """

    settings: dict[str, Any]
    origins: dict[str, str]
    admin: dict[str, Any]
    version: str
    path: str
    problems: list[str]
    late: str = ""


class _File(NamedTuple):
    """What admin.toml holds now; ``version`` is "" where there is none."""

    data: bytes
    version: str
    document: dict[str, Any]
    errors: list[str]


class HookSettings:
    """Reads and changes ``admin.toml``, and keeps who changed it in the history.

    The file is always whole: a reader sees it before or after a change, never in between. Raises
    ConfigError for settings that are not allowed, StoreError when database or file cannot be used.
    """

    def __init__(self, store: Store, env: Mapping[str, str]) -> None:
        self._store = store
        self._env = env

    def get(self) -> HookSettingsView:
        """Return the settings that hold outside of any project, and what admin.toml sets."""
        file = self._read()
        loaded = self._loaded(file.data if file.version else None)
        return HookSettingsView(
            settings=loaded.document,
            origins={show_key(path): _origin(one) for path, one in loaded.origins.items()},
            admin=file.document,
            version=file.version,
            path=self._path(),
            problems=list(loaded.errors),
        )

    def second_look(self) -> list[str]:
        """Return what ``groundwire second-look status`` says: model, exam, votes, cost."""
        try:
            judge = load(without_session(self._env), "/").settings.judge
        except ConfigError:  # which the page says itself
            return []
        return status_lines(judge, self._env)

    def save(
        self,
        changes: Mapping[str, Any],
        *,
        who: str,
        version: str | None = None,
        confirmed: bool = False,
    ) -> HookSettingsView:
        """Merge ``changes`` into admin.toml; null takes a key out, so that the layer below holds.

        ``version`` is that of the view that the change was made from; None means whichever is
        there. What decides which text leaves this machine, and where to, has to be ``confirmed``.
        The next turn has the new settings, in sessions that run, too. Raises ConflictError when the
        file is not at ``version``.
        """
        with self._locked():
            file = self._read()
            _require(file, version)
            if file.errors:
                raise ConfigError("\n".join([*file.errors, f"{FILE}: fix or restore it first"]))
            document = _changed(file.document, changes)
            _require_confirmed(file, document, confirmed)
            self._replace(file, document, who, history.SAVE)
            return self._reached()

    def history(self, *, limit: int = 50, below: int | None = None) -> list[ChangeView]:
        """Return the changes, the newest first, with the whole document before and after."""
        with self._store.read() as session:
            changes = history.changes(session, history.HOOK, _TARGET, limit=limit, below=below)
            return [ChangeView.model_validate(change) for change in changes]

    def restore(
        self, change: int, *, who: str, version: str | None = None, confirmed: bool = False
    ) -> HookSettingsView:
        """Put back what admin.toml held after a change. Raises ConflictError as ``save``."""
        with self._store.read() as session:
            wanted = history.change_of(session, change, history.HOOK)
        with self._locked():
            file = self._read()
            _require(file, version)
            after = without_renamed(self._layer(wanted.after))[0].document
            _require_confirmed(file, after, confirmed)
            self._replace(file, after, who, history.RESTORE, wanted.id)
            return self._reached()

    def _reached(self) -> HookSettingsView:
        late, view = reach_sessions(self._env), self.get()
        return view.model_copy(update={"late": _UNCHECKED if view.problems else late})

    def _replace(
        self,
        file: _File,
        document: Mapping[str, Any],
        who: str,
        action: str,
        restored: int | None = None,
    ) -> None:
        """Check and write a document; file and history change together, or not at all.

        One without a difference makes no version.
        """
        data = self._checked(document)
        if document == file.document and not file.errors:
            return
        written = False
        try:
            with self._store.write() as session:
                past = history.changes(session, history.HOOK, _TARGET, limit=1)
                history.add_change(
                    session,
                    history.HOOK,
                    _TARGET,
                    action,
                    who=who,
                    version=past[0].version + 1 if past else 1,
                    before=file.document if file.version else None,
                    after=document,
                    restored=restored,
                )
                self._write(data)
                written = True
        except StoreError:
            if written:  # the history could not be kept after all
                self._write(file.data)
            raise

    def _checked(self, document: Mapping[str, Any]) -> bytes:
        """Return a valid document as the bytes of the file; raises ConfigError."""
        errors: list[str] = []
        if valid_layer(self._layer(document), home_folder(self._env), errors) is not None:
            data = (_HEADER + to_toml(document)).encode()
            prefix = f"{show_path(self._path())}: "
            problems = [one for one in self._loaded(data).errors if one.startswith(prefix)]
            errors = [f"{FILE}: {one.removeprefix(prefix)}" for one in problems]
            problem = address_problem(self._layer(document), self._loaded(None).document)
            errors += [f"{FILE}: {show_key(problem[0])}: {problem[1]}"] if problem else []
            if not errors:
                return data
        raise ConfigError("\n".join(errors))

    def _layer(self, document: Mapping[str, Any]) -> Layer:
        path = self._path()
        return Layer(ADMIN, FILE, dict(document), path, (), os.path.dirname(path))

    def _loaded(self, admin: bytes | None) -> Loaded:
        """Return the settings of user and admin, the latter as given; no variables, no project."""
        sources = [one for one in find_sources(self._env, "/") if one.layer == USER]
        if admin is not None:
            sources.append(Source(ADMIN, self._path(), admin))
        return resolve(sources, {"HOME": home_folder(self._env)}, "/")

    def _read(self) -> _File:
        source = read_source(ADMIN, self._path())
        if source is None:
            return _File(b"", "", {}, [])
        errors: list[str] = []
        layer = file_layer(source, errors)
        document = without_renamed(layer)[0].document if layer else {}
        return _File(source.data, digest(source.data), document, errors)

    def _write(self, data: bytes) -> None:
        try:
            replace_file(self._path(), data)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StoreError(f"{show_path(self._path())}: cannot be written: {reason}") from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one process at a time read, decide and write."""
        path = os.path.join(os.path.dirname(self._path()), _LOCK)
        try:
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"{show_path(path)}: {error.strerror}") from None
        try:
            if not take_lock(lock, _LOCK_SECONDS):
                held = "another process holds it; try again"
                raise StoreError(f"{show_path(path)}: {held}")
            yield
        finally:
            os.close(lock)

    def _path(self) -> str:
        folder = config_folder(self._env)
        if not folder:
            raise StoreError("no folder for settings, HOME is not set")
        return os.path.join(folder, FILE)


def _require(file: _File, version: str | None) -> None:
    if version is not None and version != file.version:
        raise ConflictError(
            f"{FILE}: it was changed in the meantime: reload it and make the change again"
        )


def _require_confirmed(file: _File, document: Mapping[str, Any], confirmed: bool) -> None:
    judge = document.get("judge")
    if judge and judge != file.document.get("judge") and not confirmed:
        what = "it decides which text leaves this machine, and where to"
        raise ConfigError(f'{FILE}: judge: {what}: allowed: with "confirm": true beside it')


def _changed(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with changes merged in: null takes out, and so go tables left empty."""
    merged = dict(document)
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            old = merged.get(key)
            table = _changed(old if isinstance(old, Mapping) else {}, value)
            if table:
                merged[key] = table
            else:
                merged.pop(key, None)
        else:
            merged[key] = value
    return merged


def _origin(origin: Origin) -> str:
    return f"{origin.layer}: {origin.place}" if origin.place else origin.layer
