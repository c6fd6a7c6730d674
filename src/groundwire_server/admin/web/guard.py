"""What every request has to pass before the application sees it.

In this order: Host and Origin are ours, and no page of another site asks; who asks is signed in;
the rate, and the number of requests at once, of which strangers have their own; the size and the
time of the body; the time of the answer. Websockets of the pages pass the same checks: one without
a session or from another origin is refused before it is accepted.
"""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from fastapi.responses import RedirectResponse
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.hook.entry import HOOK
from groundwire_server.admin.options import BURST_SECONDS, AdminOptions
from groundwire_server.admin.web.hosts import Hosts
from groundwire_server.admin.web.limits import (
    LONGEST_LOGIN,
    LONGEST_READ,
    Rate,
    drain,
    read_body,
    replay,
)
from groundwire_server.admin.web.problems import problem
from groundwire_server.admin.web.session import Sessions
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.message import HEALTH, LARGEST_BODY, STOP, Head

LOGIN = "/login"
SCHEMA = "/openapi.json"
SCAN = "/api/v1/scan"
#: What anybody may ask: no data of the user is in it.
OPEN = (LOGIN, HEALTH, SCHEMA)
HOOK_PATHS = (HOOK, STOP)
#: Where the pages are mounted; who is not signed in is led to the login page from there.
PAGES = "/admin"
#: The pages' own scripts, and their connection, which waits for news for a long time.
ASSETS = f"{PAGES}/_nicegui/"
_WAITING = f"{PAGES}/_nicegui_ws/"
#: Key of a request's scope: the name that was given at sign-in.
USER = "groundwire.user"
#: Who a request comes from: our pages, or the user; browsers say it, and no page can change it.
_OWN_SITES = ("same-origin", "none")
_READS = ("GET", "HEAD", "OPTIONS")
_SINGLE = ("host", "authorization", "content-length", "origin")
#: Bytes of a body, unless it is text to be checked, and those of who signs in.
LARGEST_REQUEST = 1 << 20
LARGEST_LOGIN = 4 << 10
#: Requests at once of those who are not signed in, and of the others.
MOST_STRANGERS, MOST_AT_ONCE = 64, 512
#: Seconds that an answer may take.
LONGEST_ANSWER = 30.0
_DRAIN_BYTES = 1 << 20
_DRAIN_SECONDS = 0.5
_POLICY_VIOLATION = 1008
_CLOSE = {"type": "websocket.close", "code": _POLICY_VIOLATION}
_GONE = {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}


class Guard:
    """The checks around an application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        options: AdminOptions,
        hosts: Hosts,
        sessions: Sessions,
        hook: HookHandler,
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._sessions = sessions
        self._hook = hook
        self._rate = Rate(options.rate, options.rate * BURST_SECONDS)
        self._room = {"strangers": MOST_STRANGERS, "signed in": MOST_AT_ONCE}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a good request on; answer any other."""
        if scope["type"] == "websocket":
            if self._refusal(scope):
                await send(_CLOSE)
            else:
                await self._app(scope, self._while_signed_in(scope, receive, send), send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        who = "strangers" if refused is not None or scope["path"] in OPEN else "signed in"
        if not self._room[who]:
            refused = problem(503, "too many requests at once", headers={"Connection": "close"})
            await refused(scope, receive, send)
            return
        self._room[who] -= 1
        try:
            await self._answered(refused, scope, receive, send)
        finally:
            self._room[who] += 1

    async def _answered(
        self, refused: Response | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        headers = Headers(scope=scope)
        has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        if refused is None and has_body:
            try:
                receive = replay(await read_body(receive, *body_limits(scope["path"])), receive)
            except ClientDisconnect:  # nobody waits for an answer
                return
            except HTTPException as error:
                refused = problem(error.status_code, error.detail)
        if refused is not None:
            if has_body and "expect" not in headers:
                await drain(receive, _DRAIN_BYTES, _DRAIN_SECONDS)
            refused.headers["connection"] = "close"
            await refused(scope, receive, send)
        elif scope["path"].startswith(_WAITING):
            await self._app(scope, receive, send)
        else:
            await _in_time(self._app, scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return what a request gets that must not be looked at further."""
        headers = Headers(scope=scope)
        if any(len(headers.getlist(name)) > 1 for name in _SINGLE):
            return problem(400, f"a header is there twice: one of {', '.join(_SINGLE)}")
        if "content-length" in headers and "transfer-encoding" in headers:
            return problem(400, "Content-Length and Transfer-Encoding are both there")
        host = headers.get("host", "")
        if not self._hosts.is_ours(host):
            known = ", ".join(self._hosts.known)
            return problem(421, f"Host {host[:100]!r} is not this server; allowed: {known}")
        origin = headers.get("origin")
        if origin is not None and not self._hosts.is_our_origin(origin):
            return problem(403, f"Origin {origin[:100]!r} is not this server")
        site = headers.get("sec-fetch-site", "none")
        if site not in _OWN_SITES and not _is_followed_link(scope, headers):
            return problem(403, f"a page of another site asks (Sec-Fetch-Site: {site[:100]!r})")
        caller = scope["client"][0] if scope.get("client") else ""
        try:
            return self._stranger(scope, headers, caller)
        except HTTPException as error:  # there are too many
            return problem(error.status_code, error.detail, headers=error.headers)

    def _stranger(self, scope: Scope, headers: Headers, caller: str) -> Response | None:
        """Count the request and return the refusal for one that is not signed in."""
        path = scope["path"]
        if path in HOOK_PATHS and scope["type"] == "http":
            refused = self._hook_refusal(scope, headers)
            self._rate.take(f"{'out' if refused else 'hook'} {caller}")
            return refused
        if path in OPEN:
            if path != LOGIN or scope["method"] != "POST":  # which counts the wrong tokens itself
                self._rate.take(f"open {caller}")
            return None
        refused = self._not_signed_in(scope, headers)
        if refused is not None:
            self._rate.take(f"out {caller}")
        elif not path.startswith((ASSETS, _WAITING)):
            self._rate.take(f"in {caller}")
        return refused

    def _not_signed_in(self, scope: Scope, headers: Headers) -> Response | None:
        authorization = headers.get("authorization")
        if authorization is not None:
            return None if self._sessions.is_authorised(authorization) else _unauthorised()
        method = scope.get("method", "")
        if not self._sessions.is_signed_in(headers.get("cookie", "")):
            page = scope["path"] == "/" or f"{scope['path']}/".startswith(f"{PAGES}/")
            if page and method == "GET" and "text/html" in headers.get("accept", ""):
                return RedirectResponse(f"{LOGIN}?next={quote(_address(scope))}", 303)
            return _unauthorised()
        if method not in _READS and "origin" not in headers:
            return problem(403, "a change with the cookie of a page needs its Origin header")
        scope[USER] = self._sessions.name(headers.get("cookie", ""))
        return None

    def _while_signed_in(self, scope: Scope, receive: Receive, send: Send) -> Receive:
        """Return a ``receive`` that ends a websocket once its session has ended."""

        async def checked() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and self._not_signed_in(
                scope, Headers(scope=scope)
            ):
                await send(_CLOSE)
                return _GONE
            return message

        return checked

    def _hook_refusal(self, scope: Scope, headers: Headers) -> Response | None:
        head = Head(scope["method"], scope["path"], dict(headers))
        refused = self._hook.refusal(head)
        if refused is None:
            return None
        allow = {"Allow": refused.allow} if refused.allow else None
        return Response(refused.body, refused.status, allow, "application/json")


def body_limits(path: str) -> tuple[int, float]:
    """Return the bytes that a body sent to ``path`` may have, and the seconds that it may take."""
    if path == LOGIN:
        return LARGEST_LOGIN, LONGEST_LOGIN
    return LARGEST_BODY if path in (HOOK, SCAN) else LARGEST_REQUEST, LONGEST_READ


def _address(scope: Scope) -> str:
    query = scope["query_string"].decode("ascii", "replace")
    return f"{scope['path']}?{query}" if query else str(scope["path"])


def _is_followed_link(scope: Scope, headers: Headers) -> bool:
    """Tell whether a browser shows the answer as a page of its own, as after a link elsewhere."""
    shown = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    return scope.get("method") == "GET" and shown == ("navigate", "document")


def _unauthorised() -> Response:
    return problem(
        401,
        "sign in at /login, or send the token in admin-token as Authorization: Bearer TOKEN",
        headers={"WWW-Authenticate": "Bearer"},
    )


async def _in_time(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run ``app``; after ``LONGEST_ANSWER`` say so and let its work end unheard.

    Work in a thread cannot be interrupted, so the request is not awaited any longer.
    """
    begun = late = False

    async def heard(message: Message) -> None:
        nonlocal begun
        if not late:
            begun = True
            await send(message)

    task = asyncio.ensure_future(app(scope, receive, heard))
    try:
        done, _ = await asyncio.wait({task}, timeout=LONGEST_ANSWER)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if done or begun:
        await task
        return
    late = True
    _UNHEARD.add(task)
    task.add_done_callback(_UNHEARD.discard)
    await problem(503, f"the answer took longer than {LONGEST_ANSWER:.0f} s")(scope, receive, send)


#: Work that nobody waits for; kept here so that it is not collected while it runs.
_UNHEARD: set[asyncio.Future[None]] = set()
