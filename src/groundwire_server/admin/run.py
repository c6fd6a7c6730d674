"""The process of the admin server: one port, one event loop, an orderly end."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from types import FrameType

import uvicorn

from groundwire.base.errors import ServerError
from groundwire.base.version import __version__
from groundwire_server.admin.api.watch import log_to_stderr
from groundwire_server.admin.app import create_app, token_file
from groundwire_server.admin.options import AdminOptions
from groundwire_server.admin.service import Admin, open_admin
from groundwire_server.admin.web.guard import LARGEST_REQUEST
from groundwire_server.admin.web.wire import TimedProtocol
from groundwire_server.resident.client import running_version, stop_server
from groundwire_server.resident.token import known_token

LOGGER = logging.getLogger("groundwire.admin")
#: Seconds that requests at work get to end once the server is told to.
GRACE_SECONDS = 20
#: Seconds after these until the process ends whatever is at work.
_LAST_SECONDS = 2
_QUEUE = 256
#: Seconds that a resident server gets to give its port back.
_PORT_WAIT = 10.0
_PORT_STEP = 0.1


class _Server(uvicorn.Server):
    """Ends even when a request at work does not: a thread cannot be interrupted."""

    _last: threading.Timer | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the orderly end of a signal."""
        super().handle_exit(sig, frame)
        self.end()

    def end(self) -> None:
        """Begin the orderly end, and see to it that there is one."""
        self.should_exit = True
        if self._last is None:
            self._last = threading.Timer(GRACE_SECONDS + _LAST_SECONDS, _end_at_once)
            self._last.daemon = True
            self._last.start()


def _end_at_once() -> None:
    LOGGER.error("ended although a request is still at work")
    os._exit(1)


def run_admin(options: AdminOptions, say: Callable[[str], None]) -> None:
    """Serve until a signal or ``POST /stop``; requests at work are answered first.

    ``say`` is given lines for a person. A resident server of this user on that port is replaced:
    this one answers the hook, too. Raises ServerError for options that are refused, and when the
    port cannot be had; StoreError when the database cannot be used.
    """
    options.check()
    os.umask(0o077)
    admin = open_admin(options.database or None, options.env)
    listening = _listen(options, say)
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn raises the signal again when it is done; that must not be the process's end
        signal.signal(number, lambda *_: None)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # compiles that nobody waits for leave nothing
    log_to_stderr()
    server: _Server

    def stop() -> None:
        server.end()

    server = _Server(_config(options, admin, stop))
    say(f"groundwire {__version__}: admin pages at {options.url}")
    say(f"the sign-in token is in {token_file(options)}")
    try:
        server.run([listening])
    except SystemExit:  # its start-up failed, and the log says why
        raise ServerError("the admin server could not start") from None
    finally:
        listening.close()
    LOGGER.info("stopped")


def _config(options: AdminOptions, admin: Admin, stop: Callable[[], None]) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(options, admin, stop),
        http=TimedProtocol,
        ws="websockets-sansio",
        ws_max_size=LARGEST_REQUEST,
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
    )


def _listen(options: AdminOptions, say: Callable[[str], None]) -> socket.socket:
    """Take the port. Raises ServerError when it cannot be had."""
    limit = time.monotonic() + _PORT_WAIT
    asked = False
    while True:
        try:
            return _bind(options)
        except OSError as error:
            if not asked and running_version(options.port, known_token(options.env)):
                asked = stop_server(options.port, options.env)
                say(f"the server that ran at port {options.port} is told to end")
            if not asked or time.monotonic() > limit:
                reason = error.strerror or str(error)
                raise ServerError(f"{options.host}:{options.port} cannot be used: {reason}") from (
                    None
                )
            time.sleep(_PORT_STEP)


def _bind(options: AdminOptions) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(
        options.host, options.port, type=socket.SOCK_STREAM
    )[0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_QUEUE)
    except OSError:
        listening.close()
        raise
    return listening
