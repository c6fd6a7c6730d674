"""The outermost layer: a line of log and a measurement for each request, and no bare error."""

from __future__ import annotations

import logging
import secrets
import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire_admin.web.guard import ASSETS, PAGES
from groundwire_admin.web.metrics import Metrics
from groundwire_admin.web.problems import problem

LOGGER = logging.getLogger("groundwire.admin")
#: The status in the log of a request whose client went away before its answer.
_LEFT = 499
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    # the pages' framework compiles templates in the browser; nothing comes from another host
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'"
    ),
}


class Watch:
    """Logs and measures requests, adds headers for browsers, and answers what raised."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = secrets.token_hex(8)
        started = time.perf_counter()
        status, left = 0, False

        async def heard() -> Message:
            nonlocal left
            message = await receive()
            left = left or message["type"] == "http.disconnect"
            return message

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith(ASSETS):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, heard, noted)
        except Exception:
            if left and not status:  # whoever asked does not wait for it any more
                status = _LEFT
                return
            LOGGER.exception("failure", extra={"request": request})
            if not status:
                text = f"the server failed; its log has more under request {request}"
                await problem(500, text)(scope, receive, noted)
        finally:
            self._note(scope, request, status, time.perf_counter() - started)

    def _note(self, scope: Scope, request: str, status: int, seconds: float) -> None:
        route = route_of(scope)
        self._metrics.request(scope["method"], route, status, seconds)
        LOGGER.info(
            "request",
            extra={
                "request": request,
                "method": scope["method"],
                "path": scope["path"][:200],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
                "client": scope["client"][0] if scope.get("client") else "",
            },
        )


def route_of(scope: Scope) -> str:
    """Return the path as it is declared, so that there are few of them."""
    path = scope["path"]
    if path.startswith(f"{PAGES}/"):
        return "assets" if path.startswith(f"{PAGES}/_nicegui") else "pages"
    return str(getattr(scope.get("route"), "path", "none"))
