"""What the command hook does at the start of a session: see that the resident server runs."""

from __future__ import annotations

import sys
import time

from groundwire.base import json_codec
from groundwire.base.errors import ServerError
from groundwire.base.process import spawn_detached
from groundwire.base.version import __version__
from groundwire.hook.handle import Reply, failure_record, log_reply
from groundwire.hook.session import without_session
from groundwire_server.resident.client import (
    BusyError,
    free_port,
    is_taken,
    running_version,
    stop_server,
)
from groundwire_server.resident.token import ensure_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Seconds that the start of a session waits for the server; it goes on starting afterwards.
_START_SECONDS = 3.0
_STEP = 0.02
_TAKEN = "is taken by another program"


def keep_running(port: int, env: Mapping[str, str]) -> str:
    """Start the server at ``port`` unless this version answers there; return what was done, or "".

    The server goes on without this process. What happened stands in the decision log, too.
    """
    try:
        done = _keep_running(port, env)
    except BusyError as error:
        done = str(error)
    except (OSError, ServerError) as error:
        done = f"the resident server cannot be started, turns end unchecked: {error}"
    if done:
        log_reply(Reply("", failure_record(done, {"hook_event_name": "server"})), env)
    return done


def with_server(port: int, env: Mapping[str, str], output: str) -> str:
    """Keep the server running; return the hook's ``output`` with what the user has to know.

    A port that another program has taken is told at the start of each session, not at each turn.
    """
    done = keep_running(port, env)
    if _TAKEN not in done:
        return output
    fields = json_codec.loads(output) if output else {}
    told = [fields.get("systemMessage", ""), f"groundwire: {done}"]
    return json_codec.dumps({**fields, "systemMessage": "\n".join(filter(None, told))})


def _keep_running(port: int, env: Mapping[str, str]) -> str:
    token = ensure_token(env)
    version = running_version(port, token)
    if version == __version__:
        return ""
    if version:
        stop_server(port, env)
        _start(port, token, env)
        return f"the resident server of version {version} was replaced"
    if is_taken(port):
        return (
            f"port {port} {_TAKEN}: turns end unchecked, and their events go to that program. "
            f"Run groundwire install --http --port {free_port(port + 1)}"
        )
    _start(port, token, env)
    return "the resident server was not running and was started; turns until then ended unchecked"


def _start(port: int, token: str, env: Mapping[str, str]) -> None:
    """Start the server and wait for it, since the first turn may end at once."""
    start_server(port, env)
    deadline = time.monotonic() + _START_SECONDS
    while running_version(port, token) != __version__ and time.monotonic() < deadline:
        time.sleep(_STEP)


def start_server(port: int, env: Mapping[str, str]) -> int:
    """Start the server as a process of its own; return its id. Raises OSError."""
    command = [sys.executable, "-I", "-m", "groundwire_server.resident", str(port)]
    return spawn_detached(command, without_session(env))
