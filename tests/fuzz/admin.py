"""Requests to the checks around the admin server, behind which nothing is without the token."""

import asyncio
from collections.abc import Hashable
from functools import cache
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from groundwire.server.connection import BadRequestError, parse_head
from groundwire.server.handler import HookHandler
from groundwire_admin.options import AdminOptions
from groundwire_admin.web.guard import HOOK_PATHS, OPEN, Guard
from groundwire_admin.web.hosts import Hosts
from groundwire_admin.web.session import Sessions


class _Behind:
    """The guard of a server without limits of rate, and what came through it."""

    def __init__(self, handler: HookHandler, port: int, token: str) -> None:
        options = AdminOptions(port, token, rate=0, env={})
        sessions = Sessions(token, port, secure=False)
        self.cookie = sessions.begin().partition(";")[0]
        self.guard = Guard(
            self._app, options=options, hosts=Hosts(options), sessions=sessions, hook=handler
        )
        self.guard._logins._rate = 0
        self.reached: list[str] = []
        self.sent: list[Message] = []
        self.runner = asyncio.Runner()

    async def _app(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.reached.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    def ask(self, scope: dict[str, Any], body: bytes) -> tuple[list[str], list[Message]]:
        """Return the paths that were reached and the messages that came back."""
        self.reached, self.sent = [], []
        left: list[Message] = [{"type": "http.request", "body": body}]

        async def receive() -> Message:
            return left.pop() if left else {"type": "http.disconnect"}

        self.runner.run(self.guard(scope, receive, self.send))
        return self.reached, self.sent


_behind = cache(_Behind)


def guarded(data: bytes, handler: HookHandler, port: int, token: str) -> Hashable:
    """Send the request in ``data`` through the guard; COOKIE stands for that of a session."""
    behind = _behind(handler, port, token)
    head, _, body = data.replace(b"COOKIE", behind.cookie.encode()).partition(b"\r\n\r\n")
    try:
        request = parse_head(head)
    except BadRequestError as error:
        return error.status
    named = request.headers
    path, _, query = request.path.partition("?")
    kind = "websocket" if "upgrade" in named else "http"
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()]
    scope: dict[str, Any] = {"type": kind, "method": request.method, "path": path, "headers": pairs}
    scope["query_string"] = query.encode("latin-1")
    reached, sent = behind.ask({**scope, "client": ("127.0.0.1", 9)}, body)
    has_token = named.get("authorization", "").lower() == f"bearer {token}".lower()
    takes_cookie = kind == "websocket" or path not in HOOK_PATHS
    has_cookie = takes_cookie and behind.cookie in named.get("cookie", "")
    assert has_token or has_cookie or path in OPEN or not reached, "reached without the token"
    ours = named.get("host", "").lower() in (
        f"127.0.0.1:{port}",
        f"localhost:{port}",
        f"[::1]:{port}",
    )
    origin = named.get("origin", f"http://{named.get('host')}").lower()
    assert not reached or (ours and origin.startswith("http://")), "reached from elsewhere"
    assert sent, "no answer"
    return (
        kind,
        sent[0].get("status"),
        bool(reached),
        request.method in ("GET", "POST"),
        path in OPEN,
    )
