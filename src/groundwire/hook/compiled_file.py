"""The compiled configuration: what the hook reads in place of settings and pattern files.

One file per key in the cache folder: a header that names the format, the version of groundwire,
the interpreter and the key, a digest of the payload, and the payload as marshalled plain data.
Anything that is off makes it unreadable, and it is compiled again by a process of its own.
"""

from __future__ import annotations

import marshal
import os
import sys
import time

from groundwire.base.digest import digest, digest_parts
from groundwire.base.paths import cache_folder, replace_file
from groundwire.base.record import Record
from groundwire.base.rules import RuleSet
from groundwire.base.settings import Allow, Profile, Settings
from groundwire.base.version import __version__
from groundwire.hook.compiled import Compiled
from groundwire.hook.sources import ADMIN, PROJECT, TRUST, Source, find_sources, read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_FORMAT = 1
_DIGEST_LENGTH = 32
_TRANSIENT_SECONDS = 600.0
_POLL_SECONDS = 0.01
_TAG = sys.implementation.cache_tag or "unknown"


def compiled_path(folder: str, key: str) -> str:
    """Return the path of the compiled configuration with this key in the cache ``folder``.

    Every version of groundwire and of the interpreter has a file of its own.
    """
    return os.path.join(folder, f"settings-{key}-{digest(_header(key))[:12]}.bin")


def latest_path(folder: str, sources: Iterable[Source]) -> str:
    """Return the path of the note which key these files had when they were last compiled."""
    places = [part for source in sources for part in (source.layer, source.path)]
    return os.path.join(folder, f"latest-{digest_parts(places)}")


def last_good(env: Mapping[str, str], cwd: str) -> Compiled | None:
    """Return the settings of ``cwd`` as they were last compiled without an error, if any were.

    Where a project or the admin server has just added a file, those of the layers below it count.
    """
    folder = cache_folder(env) or ""
    sources = find_sources(env, cwd)
    for above in ((), (PROJECT, TRUST), (PROJECT, TRUST, ADMIN)):
        below = [source for source in sources if source.layer not in above]
        try:
            with open(latest_path(folder, below), encoding="ascii") as file:
                compiled = read_compiled(folder, file.read(_DIGEST_LENGTH), stale=True)
        except (OSError, ValueError):
            continue
        if compiled and not compiled.error:
            return compiled
    return None


def read_compiled(folder: str, key: str, stale: bool = False) -> Compiled | None:
    """Read the compiled configuration with this key from the cache ``folder``; never raises.

    None when there is none, when it is torn, of another version, interpreter, key or user, or
    when a pattern folder that it depends on has changed, unless ``stale`` ones will do.
    """
    try:
        with open(compiled_path(folder, key), "rb") as file:
            status = os.fstat(file.fileno())
            data = file.read()
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            return None
        compiled = decode(data, key)
    except Exception:  # unreadable data can fail in many ways; all mean "compile again"
        return None
    if compiled is None:
        return None
    if compiled.transient and not 0 <= time.time() - status.st_mtime < _TRANSIENT_SECONDS:
        return None
    if not stale and any(folder_digest(path) != known for path, known in compiled.folders):
        return None
    return compiled


def write_compiled(folder: str, key: str, compiled: Compiled) -> bool:
    """Write ``compiled`` to the cache ``folder`` atomically, mode 0600; False when that fails."""
    try:
        replace_file(compiled_path(folder, key), encode(compiled, key))
    except (OSError, ValueError):
        return False
    return True


def cached_or_compiled(env: Mapping[str, str], cwd: str, key: str, wait: float) -> Compiled | None:
    """Return the configuration of ``cwd`` with this key, as ``ensure_compiled`` does."""
    folder = cache_folder(env)
    if folder is None:
        return None
    compiled = read_compiled(folder, key)
    if compiled is not None:
        return compiled
    deadline = time.monotonic() + wait
    process: int | None = 0
    while True:
        if process == 0:
            # the process that holds the lock may have begun before the last change
            process = _start_compile(env, cwd, folder, key)
        if process is None:
            return None
        ended = process > 0 and _has_ended(process)
        compiled = read_compiled(folder, key)
        if compiled is not None or ended or time.monotonic() >= deadline:
            return compiled
        time.sleep(_POLL_SECONDS)


def _start_compile(env: Mapping[str, str], cwd: str, folder: str, key: str) -> int | None:
    """Start the one compile of ``key`` and return its process id.

    0 when another process is at it, or has just finished; None when none can be started. The lock
    is handed to the child as an open descriptor, so it ends with the child, however that ends.
    """
    try:
        import fcntl
    except ImportError:  # no POSIX: the hook keeps to the shipped settings and says so
        return None
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        lock = os.open(os.path.join(folder, f"settings-{key}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except (OSError, ValueError):
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if read_compiled(folder, key) is not None:
            return 0
        os.set_inheritable(lock, True)
        return _spawn(env, cwd)
    except BlockingIOError:
        return 0
    except (OSError, ValueError):
        return None
    finally:
        os.close(lock)


def _spawn(env: Mapping[str, str], cwd: str) -> int:
    """Run ``settings/compile_main.py`` detached, without ``-S``: it needs installed packages."""
    from groundwire.base.process import spawn_detached

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    script = os.path.join(package, "settings", "compile_main.py")
    return spawn_detached([sys.executable, "-I", script, cwd], env)


def _has_ended(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG)[0] != 0
    except OSError:
        return True


def folder_digest(folder: str) -> str:
    """Return the digest of the names and bytes of the ``*.toml`` files in ``folder``.

    A folder that cannot be listed has a digest of its own, so that it is noticed when it appears.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    except (OSError, ValueError):
        return "missing"
    parts: list[str | bytes] = []
    for name in names:
        source = read_source("", os.path.join(folder, name), required=True)
        if source is not None:
            parts += (name, source.data, source.problem)
    return digest_parts(parts)


def _header(key: str) -> bytes:
    text = f"groundwire settings {_FORMAT}\n{__version__}\n{_TAG}\n{sys.version!r}\n{key}\n"
    return text.encode("utf-8")


def encode(compiled: Compiled, key: str) -> bytes:
    """Return ``compiled`` as bytes for another process of this interpreter and version."""
    payload = marshal.dumps(_plain(compiled))
    return _header(key) + digest(payload).encode("ascii") + payload


def decode(data: bytes, key: str) -> Compiled | None:
    """Return what ``encode`` made; None when it is torn or of another version or interpreter."""
    header = _header(key)
    if not data.startswith(header):
        return None
    start = len(header) + _DIGEST_LENGTH
    payload = data[start:]
    if data[len(header) : start].decode("ascii") != digest(payload):
        return None
    plain = marshal.loads(payload)  # noqa: S302 - written by this user, guarded by the digest
    settings = _restore(Settings, plain["settings"])
    allow = tuple(_restore(Allow, entry) for entry in settings.allow)
    profiles = tuple(_restore(Profile, entry) for entry in settings.profiles)
    settings = settings.replace(allow=allow, profiles=profiles)
    rules = plain["rules"] and RuleSet(**plain["rules"])
    return Compiled(**{**plain, "settings": settings, "rules": rules})


def _plain(value: Any) -> Any:
    """Turn records into dicts, all the way down through tuples."""
    if isinstance(value, Record):
        return {field: _plain(getattr(value, field)) for field in type(value)._fields}
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return value


def _restore(cls: type[Any], plain: dict[str, Any]) -> Any:
    """Build a record from ``plain``; fields whose default is a record are records."""
    values = {
        field: _restore(type(cls._defaults[field]), value)
        if isinstance(cls._defaults.get(field), Record)
        else value
        for field, value in plain.items()
    }
    return cls(**values)
