"""The outermost layer: a line of log and a measurement for each request."""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
from datetime import UTC, datetime

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire_server.admin.api.metrics import Metrics
from groundwire_server.admin.web.guard import ASSETS, PAGES
from groundwire_server.admin.web.problems import problem

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Formats a record with its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        fields.update((k, v) for k, v in vars(record).items() if k not in _USUAL)
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


def without_queries(record: logging.LogRecord) -> bool:
    """Take the query out of addresses, which uvicorn logs whole for a websocket; keep the line."""
    if record.name.startswith("uvicorn") and isinstance(record.args, tuple):
        record.args = tuple(
            one.partition("?")[0] if isinstance(one, str) else one for one in record.args
        )
    return True


def log_to_stderr(level: int = logging.INFO) -> None:
    """Send everything that this process logs to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(without_queries)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("httpx", "httpx2", "alembic", "asyncio"):  # every step of theirs is too much
        logging.getLogger(name).setLevel(logging.WARNING)


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
