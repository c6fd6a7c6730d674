"""Where groundwire keeps what it writes: settings, state, cache, log; how its files are locked and
replaced.

Used on the hook path, so plain strings. The folders follow the XDG convention on every system;
each can be moved by one environment variable. A relative path counts as none, as there: nothing is
written where somebody happens to work.
"""

from __future__ import annotations

import os
import time

from groundwire.base.digest import digest_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_LOCK_STEP = 0.002
#: How many times what one holder may take all of them together may.
_ALL_TURNS = 3


def _absolute(env: Mapping[str, str], *names: str) -> str:
    """Return the first of these variables that is an absolute path, or ""."""
    return next((path for name in names if os.path.isabs(path := env.get(name, ""))), "")


def home_folder(env: Mapping[str, str]) -> str:
    """Return the home folder, which ``~`` stands for; empty when there is none."""
    return _absolute(env, "HOME", "USERPROFILE")


def _folder(env: Mapping[str, str], own: str, xdg: str, fallback: str) -> str | None:
    if path := _absolute(env, own):
        return path
    if path := _absolute(env, xdg):
        return os.path.join(path, "groundwire")
    home = home_folder(env)
    return os.path.join(home, fallback, "groundwire") if home else None


def config_folder(env: Mapping[str, str]) -> str | None:
    """Folder of ``config.toml``, ``admin.toml`` and the trust list; None without a home."""
    return _folder(env, "GROUNDWIRE_CONFIG_DIR", "XDG_CONFIG_HOME", ".config")


def state_folder(env: Mapping[str, str]) -> str | None:
    """Folder of session state and the decision log; None without a home."""
    return _folder(env, "GROUNDWIRE_STATE_DIR", "XDG_STATE_HOME", ".local/state")


def cache_folder(env: Mapping[str, str]) -> str | None:
    """Folder of compiled settings and rules; None without a home."""
    return _folder(env, "GROUNDWIRE_CACHE_DIR", "XDG_CACHE_HOME", ".cache")


def passing_folder(env: Mapping[str, str]) -> str:
    """Folder of what matters for an hour, and must be there when the others cannot be used.

    Another home of the user has another one, told by the name of its state folder.
    """
    base = _absolute(env, "XDG_RUNTIME_DIR", "TMPDIR", "TEMP") or "/tmp"  # noqa: S108
    user = os.geteuid() if hasattr(os, "geteuid") else ""
    home = digest_parts([state_folder(env) or ""])
    return os.path.join(base, f"groundwire-{user}-{home[:12]}")


def replace_file(path: str, data: bytes) -> None:
    """Write ``data`` to ``path`` through a temporary file beside it, mode 0600.

    Makes missing folders (0700). Raises OSError, and ValueError for a name that no system takes;
    then the old file stands and nothing is left behind.
    """
    temporary = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    descriptor = os.open(temporary, flags, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def take_lock(descriptor: int, seconds: float, *, shared: bool = False) -> bool:
    """Take the lock of an open file, which goes with its descriptor; exclusively, or ``shared``.

    Returns False when nobody has had a turn for these ``seconds``, or when the turns of others
    took three times as long; True also where there are no locks. Each marks its turn by the time
    of the file, so that many hooks on a slow machine all get theirs. Raises OSError for a
    descriptor that cannot be locked.
    """
    try:
        import fcntl
    except ImportError:
        return True
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    begun = since = time.monotonic()
    turn = 0
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            now, last, turn = time.monotonic(), turn, os.fstat(descriptor).st_mtime_ns
            since = since if turn == last else now
            if now - since >= seconds or now - begun >= _ALL_TURNS * seconds:
                return False
            time.sleep(_LOCK_STEP)
        else:
            if not shared:
                os.utime(descriptor)
            return True
