"""The page for an address below the pages that there is not."""

from __future__ import annotations

from fastapi import Request
from fastapi.exception_handlers import http_exception_handler
from nicegui import Client, app, ui
from starlette.exceptions import HTTPException
from starlette.responses import Response

from groundwire_admin.pages.frame import frame
from groundwire_admin.pages.states import empty
from groundwire_admin.web.problems import problem


def add() -> None:
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
