"""The resident hook inside the admin server: the same handler, the same bytes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from groundwire.hook.entry import HOOK
from groundwire_server.admin.api.common import problems
from groundwire_server.admin.api.metrics import Metrics
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.message import STOP, Head

_EVENT = {
    "type": "object",
    "description": "What Claude Code gives to a hook on stdin.",
    "properties": {
        "hook_event_name": {"type": "string"},
        "session_id": {"type": "string"},
        "transcript_path": {"type": "string"},
        "cwd": {"type": "string"},
        "last_assistant_message": {"type": "string"},
    },
}
_STOP = {
    "hook_event_name": "Stop",
    "session_id": "5d1c",
    "last_assistant_message": "I think the crash is probably caused by a race condition.",
}
_REASON = (
    "groundwire: 1 statement not backed by evidence in this turn:\n"
    '- "I think the crash is probably caused by a race condition.": no tool result of this turn '
    "shows this cause. Show it, or call it open.\n"
    "Give only the corrected statements, not the whole answer again."
)
_ANSWER = {
    "type": "object",
    "properties": {
        "decision": {"const": "block"},
        "reason": {"type": "string", "examples": [_REASON]},
        "matches": {"type": "array", "items": {"$ref": "#/components/schemas/ScannedMatch"}},
        "systemMessage": {"type": "string"},
    },
}
_SAID = "What the command hook prints: an object, or nothing at all."
_SCHEMA = {"type": "object", "properties": {"error": {"type": "string"}}}
#: The hook's own errors are older than the API and plainer; the checks around it send problems.
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        **response,
        "content": {**response["content"], "application/json": {"schema": _SCHEMA}},
    }
    for status, response in problems().items()
}


def hook_router(handler: HookHandler, metrics: Metrics) -> APIRouter:
    """Return the routes that ``handler`` answers; the guard has asked it before."""
    router = APIRouter(tags=["hook"])

    async def answer(request: Request) -> Response:
        head = Head(request.method, request.scope["path"], dict(request.headers))
        reply = await run_in_threadpool(handler.answer, head, await request.body())
        if head.path == HOOK:
            metrics.hook_answer(reply.status, reply.body)
        return Response(reply.body, reply.status, media_type="application/json")

    event = {"schema": _EVENT, "examples": {"stop": {"value": _STOP}}}
    router.add_api_route(
        HOOK,
        answer,
        name="hook",
        methods=["POST"],
        response_class=Response,
        summary="Answer an event of Claude Code",
        description="The same analysis and the same bytes as the command hook. The transcript is "
        "read only below Claude Code's own folder of projects.",
        responses={
            200: {"description": _SAID, "content": {"application/json": {"schema": _ANSWER}}},
            **_ERRORS,
        },
        openapi_extra={"requestBody": {"required": True, "content": {"application/json": event}}},
    )
    router.add_api_route(
        STOP,
        answer,
        name="stop",
        methods=["POST"],
        response_class=Response,
        summary="End the server",
        description="Requests at work are answered first; `groundwire serve --stop` asks here.",
        responses={200: {"description": "It ends."}, **_ERRORS},
    )
    return router
