"""The socket of the resident server, and the threads that answer on it.

One thread takes connections and requests, all of them at once, so that a client that is slow with
its own holds up nobody; the others answer those that are there.
"""

from __future__ import annotations

import os
import selectors
import socket
import threading
import time
from contextlib import suppress
from queue import SimpleQueue

from groundwire.base.errors import ServerError
from groundwire.base.process import LOOK_EVERY, look_at_all
from groundwire.hook.entry import HOST
from groundwire_server.resident.connection import LONGEST_READ, Begun, refuse, serve_connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire_server.resident.handler import HookHandler

_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
#: Requests that are answered at the same time; further ones wait in the queue. The GNU C library
#: gives a process eight arenas of memory for each core. One that two threads share is left with
#: holes and grows for hours, so there are no more threads than arenas; two of them answer nothing.
THREADS = min(16, 8 * _CORES - 2)
#: Connections of one address without a whole request; beyond that the oldest one is closed. Those
#: that showed the token are counted by themselves.
MOST_WAITING = 64
#: Seconds that requests at work get once the server is told to end.
GRACE_SECONDS = 20.0
_QUEUE = 128
_PAUSE = 0.1  # seconds after a failure to accept, such as too many open files
_TICK = 0.5


class Listener:
    """Listens on the loopback address from construction on; ``start`` begins to answer."""

    def __init__(self, port: int) -> None:
        """Take ``port``, 0 for a free one. Raises ServerError when it cannot be had."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
            self._socket.listen(_QUEUE)
        except (OSError, OverflowError) as error:
            self._socket.close()
            reason = getattr(error, "strerror", None) or str(error)
            raise ServerError(f"port {port} cannot be used: {reason}") from None
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._stopping = False
        self._threads: list[threading.Thread] = []
        self._ready: SimpleQueue[Begun | None] = SimpleQueue()

    def start(self, handler: HookHandler, failed: Callable[[str], None]) -> None:
        """Answer with ``handler``; ``failed`` is told what no request should be able to cause."""
        self._threads = [threading.Thread(target=self._take, args=(handler, failed), daemon=True)]
        self._threads += [
            threading.Thread(target=self._work, args=(handler, failed), daemon=True)
            for _ in range(THREADS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Take no more requests, and return when those at work are answered, or too late."""
        self._stopping = True
        with suppress(OSError):  # wakes the one that takes
            socket.create_connection((HOST, self.port), 1).close()
        limit = time.monotonic() + GRACE_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, limit - time.monotonic()))
        self._socket.close()

    def _take(self, handler: HookHandler, failed: Callable[[str], None]) -> None:
        """Take connections until the end, and hand on those whose request is there."""
        waiting: dict[socket.socket, Begun] = {}  # the oldest first
        handed_on = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)

            def leave(begun: Begun) -> None:
                selector.unregister(begun.connection)
                del waiting[begun.connection]

            while not self._stopping:
                try:
                    for key, _ in selector.select(_TICK):
                        if key.fileobj is self._socket:
                            begun = Begun(*self._socket.accept())
                            waiting[begun.connection] = begun
                            selector.register(begun.connection, selectors.EVENT_READ, begun)
                        elif (begun := key.data).is_whole(handler):
                            leave(begun)
                            self._ready.put(begun)
                            handed_on += 1
                            if handed_on % LOOK_EVERY == 0:
                                look_at_all()
                except OSError as error:
                    failed(f"accept: {error}")
                    time.sleep(_PAUSE)
                for begun in _overdue(waiting):
                    leave(begun)
                    refuse(begun.connection, 408)
            for begun in waiting.values():
                begun.connection.close()
            for _ in range(THREADS):
                self._ready.put(None)

    def _work(self, handler: HookHandler, failed: Callable[[str], None]) -> None:
        while (begun := self._ready.get()) is not None:
            with begun.connection:
                try:
                    serve_connection(begun, handler)
                except OSError:  # the client went away
                    continue
                except Exception as error:  # a bug must cost one request, not one thread
                    failed(f"{type(error).__name__}: {error}")


def _overdue(waiting: dict[socket.socket, Begun]) -> list[Begun]:
    """Return the connections that are late, and the oldest of an address with too many."""
    now = time.monotonic()
    peers: dict[tuple[str, bool], int] = {}
    late = []
    for begun in reversed(waiting.values()):
        peer = begun.peer, begun.is_trusted
        peers[peer] = peers.get(peer, 0) + 1
        if now - begun.since >= LONGEST_READ or peers[peer] > MOST_WAITING:
            late.append(begun)
    return late
