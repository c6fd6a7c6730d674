"""Where groundwire keeps what it writes, settings, state, cache, log, and how a file is replaced.

Used on the hook path, so plain strings. The folders follow the XDG convention on every system;
each can be moved by one environment variable.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _folder(env: Mapping[str, str], own: str, xdg: str, fallback: str) -> str | None:
    if env.get(own):
        return env[own]
    if env.get(xdg):
        return os.path.join(env[xdg], "groundwire")
    home = env.get("HOME") or env.get("USERPROFILE")
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
    """Folder of what matters for an hour, and must be there when the others cannot be used."""
    base = env.get("XDG_RUNTIME_DIR") or env.get("TMPDIR") or env.get("TEMP") or "/tmp"  # noqa: S108
    user = os.geteuid() if hasattr(os, "geteuid") else ""
    return os.path.join(base, f"groundwire-{user}")


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
