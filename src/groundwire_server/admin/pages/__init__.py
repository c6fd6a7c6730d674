"""The admin pages, in the browser: ``mount`` adds them to the server's application."""

from __future__ import annotations

from functools import partial
from importlib import resources

from fastapi import FastAPI, Request
from fastapi.exception_handlers import http_exception_handler
from nicegui import Client, app, ui
from starlette.exceptions import HTTPException
from starlette.responses import Response

from groundwire_server.admin.pages import (
    ab_page,
    answers_page,
    changes_page,
    configuration,
    decision_page,
    decisions_page,
    hook_page,
    trends_page,
)
from groundwire_server.admin.pages.elements import empty
from groundwire_server.admin.pages.frame import frame
from groundwire_server.admin.service import Admin
from groundwire_server.admin.web.problems import problem

_PAGES = (
    configuration,
    hook_page,
    decisions_page,
    decision_page,
    answers_page,
    trends_page,
    changes_page,
    ab_page,
)
#: How long a page without a connection is kept, with what was sent to it in the meantime.
_RECONNECT_SECONDS = 60


def mount(app: FastAPI, path: str, admin: Admin) -> None:
    """Add the pages to ``app`` below ``path``.

    Scripts, styles and fonts are served from here: no page asks another host. Whoever gets here
    is signed in, which is the application's affair.
    """
    files = resources.files(__name__)
    ui.add_css((files / "style.css").read_text(encoding="utf-8"), shared=True)
    script = (files / "keys.js").read_text(encoding="utf-8")
    ui.add_body_html(f'<script type="module">{script}</script>', shared=True)
    for page in _PAGES:
        page.add(partial(ui.page, reconnect_timeout=_RECONNECT_SECONDS), admin)
    _answer_what_is_no_page()
    ui.run_with(
        app,
        mount_path=path,
        title="groundwire",
        dark=None,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
    )


def _answer_what_is_no_page() -> None:
    """Answer with our own page; scripts and styles that are missing stay plain errors."""

    @app.exception_handler(405)
    async def wrong_method(request: Request, _: Exception) -> Response:
        said = f"{request.scope['path'][:80]} takes GET"
        return problem(405, said, headers={"Allow": "GET, HEAD"})

    @app.exception_handler(404)
    async def not_found(request: Request, error: Exception) -> Response:
        endpoint = request.scope.get("endpoint")
        is_page = endpoint in (None, app) or request.scope.get("nicegui_page_path")
        if isinstance(error, HTTPException) and not is_page:
            return await http_exception_handler(request, error)
        with Client(ui.page(""), request=request) as client, frame("", "Page not found"):
            empty("There is nothing at this address", "Check it for typing errors.")
            ui.link("Go to the start page", "/")
        return client.build_response(request, 404)
