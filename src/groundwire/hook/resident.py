"""Asking the resident hook: one event to a Unix socket of the user's own, and its answer.

The socket stands in a folder that only its owner may enter, and each side asks the system whose
process the other one is. Without a good socket, or without a sign of life in time, the event was
not sent yet and the hook answers it itself.

The server says ``+``; the hook sends ``ENVIRONMENT EVENT`` as two lengths and a line end, then
both; the server sends two lengths and a line end, then stdout and stderr.
"""

from __future__ import annotations

import _socket
import os
import stat
import sys

from groundwire.base.digest import digest_parts
from groundwire.base.paths import passing_folder, state_folder
from groundwire.base.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "resident"
#: The module of the process that answers.
SERVER = "groundwire_server.resident"
READY = b"+"
STOP = b"stop\n"
#: Seconds for the sign of life, and for an answer, which a judge may make some seconds.
_FIRST_SECONDS, _SECONDS = 0.25, 18.0
#: Bytes of a socket's path on every system.
_LONGEST = 100
_CHUNK = 1 << 16
#: A variable whose value may be a path that starts at the working folder.
_RELATIVE = "GROUNDWIRE_CONFIG"


def socket_path(env: Mapping[str, str]) -> str:
    """Return the socket of this version, interpreter and installation; "" where there is none."""
    state = state_folder(env)
    if not state or not hasattr(_socket, "AF_UNIX"):
        return ""
    name = digest_parts((__version__, sys.executable, os.path.realpath(__file__)))[:16]
    paths = (os.path.join(folder, FOLDER, name) for folder in (state, passing_folder(env)))
    return next((path for path in paths if len(os.fsencode(path)) <= _LONGEST), "")


def is_private(folder: str) -> bool:
    """Tell whether ``folder`` is a real one of this user that nobody else may enter."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    is_own = status.st_uid == os.geteuid() and not status.st_mode & 0o077
    return is_own and stat.S_ISDIR(status.st_mode)


def peer_user(connection: _socket.socket) -> int:
    """Return the user id of the process at the other end of a Unix socket, -1 when unknown."""
    try:
        if sys.platform == "linux":  # struct ucred: process, user, group
            data = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)[4:8]
        else:  # LOCAL_PEERCRED of macOS and BSD, struct xucred: version, user, groups
            data = connection.getsockopt(0, 1, 76)[4:8]
    except (OSError, AttributeError):
        return -1
    return int.from_bytes(data, sys.byteorder) if len(data) == 4 else -1


def ask(event: bytes) -> tuple[str, str] | None:
    """Return stdout and stderr for the bytes of an event; None: nobody took it, or ended at it.

    Where there is no resident hook, one is started for the next event.
    """
    if not os.path.isabs(os.environ.get(_RELATIVE, "/")):
        return None
    connection = connected(os.environ)
    if connection is None:
        _start()
        return None
    try:
        variables = b"\0".join(b"%b=%b" % pair for pair in os.environb.items())
        connection.settimeout(_SECONDS)
        connection.sendall(b"%d %d\n" % (len(variables), len(event)) + variables + event)
        return _answer(connection)
    except TimeoutError:  # it is at work, and may have decided: no second answer
        return "", f"turn not checked: no answer within {_SECONDS:g} s"
    except (OSError, ValueError):
        return None
    finally:
        connection.close()


def connected(env: Mapping[str, str]) -> _socket.socket | None:
    """Return a connection to a resident hook of this user that lives; None without one."""
    path = socket_path(env)
    if not path or not is_private(os.path.dirname(path)):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(_FIRST_SECONDS)
        connection.connect(path)
        if peer_user(connection) == os.geteuid() and connection.recv(1) == READY:
            return connection
    except OSError:
        pass
    connection.close()
    return None


def _start() -> None:
    """Start a resident hook, unless there is no place for it; never raises."""
    path = socket_path(os.environ)
    folder = os.path.dirname(path)
    if not path or (os.path.lexists(folder) and not is_private(folder)):
        return
    from groundwire.base.process import spawn_detached
    from groundwire.hook.session import without_session

    try:
        spawn_detached([sys.executable, "-I", "-m", SERVER], without_session(os.environ))
    except OSError:
        return  # each event is answered without one


def _answer(connection: _socket.socket) -> tuple[str, str]:
    """Read an answer; raises ValueError for one that is not whole."""
    data = b""
    while chunk := connection.recv(_CHUNK):
        data += chunk
    head, _, body = data.partition(b"\n")
    output, error = map(int, head.split())
    if len(body) != output + error:
        raise ValueError("the answer is not whole")
    return body[:output].decode("ascii"), body[output:].decode("utf-8", "replace")
