"""The secrets that callers have to show, and the port that is the user's own.

Each is one line in a file of mode 0600 in the state folder, made once. That of the hook stands in
Claude Code's settings and opens ``/hook`` alone; that of the admin ends the server and signs in.
"""

from __future__ import annotations

import os
import stat

from groundwire.base.errors import ServerError
from groundwire.base.paths import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOOK_TOKEN, ADMIN_TOKEN = "server-token", "admin-token"
_BYTES = 32
_FIRST_PORT = 23_000  # below the ports that systems give to outgoing connections
_PORTS = 1_000


def default_port() -> int:
    """Return the port when none is given: users of one machine get different ones."""
    return _FIRST_PORT + (os.getuid() if hasattr(os, "getuid") else 0) % _PORTS


def proof_of(token: str, port: int, version: str, challenge: str) -> str:
    """Return what only a server with this ``token`` can answer to a ``challenge``.

    The port is in it, so that a program at another one cannot pass the challenge on.
    """
    import hmac  # not for whoever only reads the token

    text = f"groundwire alive\n{port}\n{version}\n{challenge}"
    return hmac.new(token.encode("ascii"), text.encode("utf-8"), "sha256").hexdigest()


def known_token(env: Mapping[str, str], file: str = HOOK_TOKEN) -> str:
    """Return a token, "" when none was made yet; raises ServerError as ``ensure_token``."""
    folder = state_folder(env)
    if not folder or not os.path.lexists(os.path.join(folder, file)):
        return ""
    return ensure_token(env, file)


def ensure_token(env: Mapping[str, str], file: str = HOOK_TOKEN) -> str:
    """Return the token in ``file``, which is made at the first call.

    Raises ServerError when there is no home, or when others could read or have written the file.
    """
    folder = state_folder(env)
    if not folder:
        raise ServerError("HOME is not set, so there is no folder for the server's token")
    path = os.path.join(folder, file)
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        _create(path)
        return _read(path)
    except OSError as error:
        raise ServerError(f"{path}: {error.strerror}") from None


class Token:
    """The token of a running server: that of the file, which may be replaced or removed meanwhile.

    It begins as ``token``; a file that is gone or that others had a hand in leaves it as it is.
    """

    def __init__(self, env: Mapping[str, str], token: str, file: str = HOOK_TOKEN) -> None:
        folder = state_folder(env)
        self._path = os.path.join(folder, file) if folder else ""
        self._token = token
        self._seen = self._status()

    def current(self) -> str:
        """Return the token as it is now."""
        status = self._status()
        if status and status != self._seen:
            try:
                self._token, self._seen = _read(self._path), status
            except (OSError, ServerError):
                return self._token
        return self._token

    def is_in(self, authorization: str) -> bool:
        """Tell whether an Authorization header holds the token."""
        scheme, _, given = authorization.partition(" ")
        return scheme.lower() == "bearer" and self.equals(given)

    def equals(self, text: str) -> bool:
        """Tell whether ``text`` is the token."""
        import hmac

        known = self.current().encode("ascii")
        return hmac.compare_digest(text.encode("utf-8", "replace"), known) and bool(known)

    def _status(self) -> tuple[int, ...]:
        try:
            status = os.stat(self._path)
        except (OSError, ValueError):
            return ()
        return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _create(path: str) -> None:
    """Write a new token unless there is one; whoever reads sees a whole one."""
    if os.path.lexists(path):
        return
    temporary = f"{path}.{os.urandom(4).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(os.urandom(_BYTES).hex().encode("ascii") + b"\n")
        os.link(temporary, path)
    except FileExistsError:  # another process was faster
        return
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _read(path: str) -> str:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        status = os.fstat(file.fileno())
        token = file.read(1024).strip().decode("ascii", "replace")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise ServerError(f"{path}: belongs to another user; remove it")
    if stat.S_IMODE(status.st_mode) & 0o077:
        mode = oct(stat.S_IMODE(status.st_mode))
        raise ServerError(f"{path}: mode {mode}; allowed: 0o600. Remove it, a new one is made")
    if len(token) != 2 * _BYTES or not token.isalnum():
        raise ServerError(f"{path}: is no token; remove it, a new one is made")
    return token
