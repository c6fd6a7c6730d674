"""The resident hook on a Unix socket: the command hook's answers from a process that is there.

It answers processes of its own user alone. What it writes, reads and decides follows from the
environment that comes with each event, as in a process of the hook's own.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socketserver
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from groundwire.base.errors import ServerError
from groundwire.base.process import LOOK_EVERY, collect_rarely, look_at_all
from groundwire.hook.answer import answer_to
from groundwire.hook.resident import READY, STOP, connected, is_private, peer_user, socket_path
from groundwire.inputs.event import LARGEST
from groundwire_server.resident.handler import Scanners

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

#: Seconds without an event after which it ends.
IDLE_SECONDS = 1800.0
#: Seconds between two looks at the files that it runs from.
_LOOK_SECONDS = 1.0
#: Seconds for an event to arrive and for its answer to be taken.
_LONGEST_READ = 5.0
_LARGEST_ENVIRONMENT = 4 << 20
_MOST_AT_ONCE = 16
_LONGEST_LINE = 64


def serve_local(env: Mapping[str, str]) -> None:
    """Answer the events of this user until it is told to end, is idle, or its files change.

    Another one that is there already is no error. Raises ServerError when there is no place for
    the socket, or when others could enter it.
    """
    path = socket_path(env)
    if not path:
        raise ServerError("HOME is not set, or the paths are too long for a socket")
    folder = os.path.dirname(path)
    try:
        for place in (os.path.dirname(folder), folder):
            os.makedirs(place, 0o700, exist_ok=True)
        if not is_private(folder):
            raise ServerError(f"{folder}: others may enter it; allowed: a folder of yours, 0o700")
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return
        with suppress(FileNotFoundError):  # of one that was killed
            os.unlink(path)
        server = _Server(path)
    except OSError as error:
        raise ServerError(f"{path}: {error.strerror}") from None
    os.chdir("/")  # the folder of the session that started it may go away
    server.run()


def stop_local(env: Mapping[str, str]) -> bool:
    """Tell the resident hook of this installation to end; False when there is none."""
    connection = connected(env)
    if connection is None:
        return False
    try:
        connection.sendall(STOP)
        return not connection.recv(1)
    except OSError:
        return False
    finally:
        connection.close()


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """One thread for each event, of which so many are answered at once."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, path: str) -> None:
        super().__init__(path, _Request)
        os.chmod(path, 0o600)
        self._path = path
        self.scanners = Scanners()
        self.ended = threading.Event()
        self.at_once = threading.BoundedSemaphore(_MOST_AT_ONCE)
        self.last, self._count = time.monotonic(), 0
        self._files, self._looked = _own_files() | {path: _stamp(path)}, self.last

    def run(self) -> None:
        """Serve until the end; those at work are answered first."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.ended.set())
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # compiles that nobody waited for
        self.scanners.of(None)  # the first turn finds it ready, and the collector leaves it
        collect_rarely()
        threading.Thread(target=self.serve_forever, args=(0.2,), daemon=True).start()
        while not self.ended.wait(_LOOK_SECONDS):
            if time.monotonic() - self.last > IDLE_SECONDS or not self.is_current():
                break
        with suppress(OSError):  # whoever comes now answers itself
            os.unlink(self._path)
        self.shutdown()
        for _ in range(_MOST_AT_ONCE):
            self.at_once.acquire(timeout=_LONGEST_READ)

    def is_current(self) -> bool:
        """Tell whether the files are those that it runs from."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            self._looked = now
            if any(_stamp(file) != stamp for file, stamp in self._files.items()):
                self.ended.set()
            self._files |= _own_files() if not self.ended.is_set() else {}
        return not self.ended.is_set()

    def verify_request(self, request: socket.socket, _: object) -> bool:  # type: ignore[override]
        """Take processes of this user; those that come too late answer themselves."""
        return peer_user(request) == os.geteuid() and self.is_current()

    def handle_error(self, _request: object, _address: object) -> None:
        """Say nothing: the hook at the other end answers itself, and logs why."""

    def answered(self) -> None:
        """Note that an event was answered."""
        self.last = time.monotonic()
        self._count += 1
        if self._count % LOOK_EVERY == 0:
            look_at_all()


class _Request(socketserver.StreamRequestHandler):
    timeout = _LONGEST_READ
    server: _Server

    def handle(self) -> None:
        server = self.server
        with server.at_once:
            self.connection.sendall(READY)
            line = self.rfile.readline(_LONGEST_LINE)
            if line == STOP:
                server.ended.set()
                return
            variables, event = map(int, line.split())
            if not (0 <= variables <= _LARGEST_ENVIRONMENT and 0 <= event <= LARGEST):
                return
            data = self.rfile.read(variables + event)
            if len(data) < variables + event:  # the hook went away
                return
            pairs = (os.fsdecode(one).partition("=") for one in data[:variables].split(b"\0"))
            env = {name: value for name, _, value in pairs if name}
            output, error = answer_to(data[variables:], env, scanner_of=server.scanners.of)
            told = error.encode("utf-8", "replace")
            head = b"%d %d\n" % (len(output), len(told))
            self.connection.sendall(head + output.encode("ascii") + told)
            server.answered()


def _own_files() -> dict[str, int]:
    """Return the files of groundwire that are loaded, with the time of their last change."""
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("groundwire")]
    files = [file for module in modules if (file := getattr(module, "__file__", None))]
    return {file: _stamp(file) for file in files}


def _stamp(file: str) -> int:
    try:
        return os.stat(file).st_mtime_ns
    except OSError:
        return 0
