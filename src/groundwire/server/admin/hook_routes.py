"""The resident hook inside the admin server: the same handler, the same bytes."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from groundwire.server.admin.metrics import Metrics
from groundwire.server.handler import HookHandler
from groundwire.server.message import ALIVE, HOOK, STOP, Head


def hook_router(handler: HookHandler, metrics: Metrics) -> APIRouter:
    """Return the routes that ``handler`` answers; the guard has asked it before."""
    router = APIRouter(tags=["hook"])

    async def answer(request: Request) -> Response:
        head = Head(request.method, request.scope["path"], dict(request.headers))
        found = await run_in_threadpool(handler.answer, head, await request.body())
        if head.path == HOOK:
            metrics.hook_answer(found.status, found.body)
        return Response(found.body, found.status, media_type="application/json")

    router.add_api_route(HOOK, answer, methods=["POST"])
    router.add_api_route(ALIVE, answer, methods=["GET"])
    router.add_api_route(STOP, answer, methods=["POST"])
    return router
