"""The resident server's process: from the token to the last request."""

from __future__ import annotations

import os
import signal
import threading
import time

from groundwire.base.errors import ServerError
from groundwire.base.process import collect_rarely
from groundwire.base.version import __version__
from groundwire.hook.handle import Reply, failure_record, log_reply
from groundwire_server.resident.client import running_version
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.listener import Listener
from groundwire_server.resident.token import ADMIN_TOKEN, ensure_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Seconds that a starting server waits for the one before it to give the port back.
_PORT_WAIT = 3.0
_PORT_STEP = 0.05
_MOST_TOLD = 100
EVENT = {"hook_event_name": "server"}


def serve(port: int, env: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Answer hook requests at ``port`` until a signal or a request ends it.

    ``say`` is given lines for a person. Raises ServerError when the port or the token cannot be
    had; a server of this user that is there already is no error.
    """
    token = ensure_token(env)
    listener = _listen(port, token)
    if listener is None:
        say(f"groundwire {__version__} answers at port {port} already")
        return
    ended = threading.Event()
    problems = Problems(env, say)
    handler = HookHandler(env, listener.port, token, ensure_token(env, ADMIN_TOKEN), ended.set)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # compiles that nobody waited for leave nothing
    os.chdir("/")  # the folder of the session that started it may go away
    handler.scanner(None)  # the first turn finds all things ready, and the collector leaves them
    collect_rarely()
    listener.start(handler, problems.tell)
    say(f"groundwire {__version__} answers at http://127.0.0.1:{listener.port}/hook")
    ended.wait()
    listener.stop()
    problems.tell("the resident server was stopped; turns end unchecked until it runs again")


class Problems:
    """Writes what went wrong to the decision log, each text once."""

    def __init__(self, env: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._env = dict(env)
        self._say = say
        self._told: set[str] = set()

    def tell(self, text: str) -> None:
        """Log and say ``text`` unless that was done before."""
        if text not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(text)
            note(text, self._env)
            self._say(text)


def note(text: str, env: Mapping[str, str]) -> None:
    """Write a line about the server to the decision log."""
    log_reply(Reply("", failure_record(text, EVENT)), env)


def _listen(port: int, token: str) -> Listener | None:
    """Take the port; None when a server of this version has it."""
    limit = time.monotonic() + _PORT_WAIT
    while True:
        try:
            return Listener(port)
        except ServerError:
            if running_version(port, token) == __version__:
                return None
            if time.monotonic() >= limit:
                raise
            time.sleep(_PORT_STEP)
