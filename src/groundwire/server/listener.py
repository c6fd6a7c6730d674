"""The socket of the resident server and the threads that answer on it."""

from __future__ import annotations

import socket
import threading
import time

from groundwire.errors import ServerError
from groundwire.server.connection import serve_connection
from groundwire.server.message import HOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.server.handler import HookHandler

#: Requests that are answered at the same time; further ones wait in the system's queue.
THREADS = 16
_QUEUE = 128
_PAUSE = 0.1  # seconds after a failure to accept, such as too many open files


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
        self.port: int = self._socket.getsockname()[1]
        self._stopping = False
        self._threads: list[threading.Thread] = []

    def start(self, handler: HookHandler, failed: Callable[[str], None]) -> None:
        """Answer with ``handler``; ``failed`` is told what no request should be able to cause."""
        for _ in range(THREADS):
            thread = threading.Thread(target=self._work, args=(handler, failed), daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Take no more requests, and return when those at work are answered."""
        self._stopping = True
        for _ in self._threads:  # each connection wakes one thread
            try:
                socket.create_connection((HOST, self.port), 1).close()
            except OSError:
                break
        for thread in self._threads:
            thread.join()
        self._socket.close()

    def _work(self, handler: HookHandler, failed: Callable[[str], None]) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError as error:
                if self._stopping:
                    return
                failed(f"accept: {error}")
                time.sleep(_PAUSE)
                continue
            with connection:
                if self._stopping:
                    return
                try:
                    serve_connection(connection, handler)
                except OSError:  # the client went away
                    continue
                except Exception as error:  # a bug must cost one request, not one thread
                    failed(f"{type(error).__name__}: {error}")
