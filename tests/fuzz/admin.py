"""Requests to the checks around the admin server, behind which nothing is without the token."""

import asyncio
from collections.abc import Hashable
from functools import cache

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from groundwire_server.admin.options import AdminOptions
from groundwire_server.admin.web.guard import HOOK_PATHS, OPEN, Guard
from groundwire_server.admin.web.hosts import Hosts
from groundwire_server.admin.web.session import Sessions
from groundwire_server.resident.connection import BadRequestError, parse_head
from groundwire_server.resident.handler import HookHandler

#: The paths that were reached by a request.
_REACHED: list[str] = []
_LOOP = asyncio.Runner()


async def _behind(scope: Scope, receive: Receive, send: Send) -> None:
    _REACHED.append(scope["path"])
    await Response()(scope, receive, send)


@cache
def _guard(handler: HookHandler, port: int, token: str) -> tuple[Guard, str]:
    """Return the guard of a server without limits of rate, and the cookie of a session."""
    options = AdminOptions(port, token, rate=0, env={})
    sessions = Sessions(token, port, secure=False)
    guard = Guard(_behind, options=options, hosts=Hosts(options), sessions=sessions, hook=handler)
    return guard, sessions.begin().partition(";")[0]


def guarded(data: bytes, handler: HookHandler, port: int, token: str) -> Hashable:
    """Send the request in ``data`` through the guard; COOKIE stands for that of a session."""
    guard, cookie = _guard(handler, port, token)
    head, _, body = data.replace(b"COOKIE", cookie.encode()).partition(b"\r\n\r\n")
    try:
        request = parse_head(head)
    except BadRequestError as error:
        return error.status
    named = request.headers
    path, _, query = request.path.partition("?")
    kind = "websocket" if "upgrade" in named else "http"
    scope = {
        "type": kind,
        "method": request.method,
        "path": path,
        "headers": [(name.encode("latin-1"), one.encode("latin-1")) for name, one in named.items()],
        "query_string": query.encode("latin-1"),
        "client": ("127.0.0.1", 9),
    }
    left: list[Message] = [{"type": "http.request", "body": body}]
    sent: list[Message] = []

    async def receive() -> Message:
        return left.pop() if left else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    _REACHED.clear()
    _LOOP.run(guard(scope, receive, send))
    has_token = named.get("authorization", "").lower() == f"bearer {token}".lower()
    takes_cookie = kind == "websocket" or path not in HOOK_PATHS
    has_cookie = takes_cookie and cookie in named.get("cookie", "")
    assert has_token or has_cookie or path in OPEN or not _REACHED, "reached without the token"
    host = named.get("host", "").lower()
    ours = host in (f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
    origin = named.get("origin", f"http://{host}").lower()
    assert not _REACHED or (ours and origin.startswith("http://")), "reached from elsewhere"
    assert sent, "no answer"
    known = request.method in ("GET", "POST")
    return kind, sent[0].get("status"), bool(_REACHED), known, path in OPEN
