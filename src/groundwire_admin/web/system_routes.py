"""Whether the server is well, and its figures for Prometheus."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from groundwire import __version__
from groundwire.model import BLOCK, PASS, REPORT
from groundwire_admin.api.common import problems
from groundwire_admin.service import Admin, Filter
from groundwire_admin.web.guard import HEALTH
from groundwire_admin.web.metrics import Metrics

METRICS = "/metrics"
_DECISIONS = (BLOCK, REPORT, PASS)
_TEXT: dict[str, Any] = {
    "description": "Counters and histograms.",
    "content": {"text/plain": {"schema": {"type": "string"}}},
}


class Health(BaseModel):
    """The state of the server."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=[__version__])


def system_router(metrics: Metrics, admin: Admin) -> APIRouter:
    """Return the routes that look at the server itself."""
    router = APIRouter(tags=["system"])

    @router.get(HEALTH, responses=problems())
    def healthz() -> Health:
        """Tell that the server and its database answer, with 503 if not; needs no token."""
        admin.store.require_answer()
        return Health(status="ok", version=__version__)

    @router.get(METRICS, response_class=Response, responses={200: _TEXT, **problems()})
    def figures() -> Response:
        """Return the figures of this server in Prometheus' text format."""
        totals = {
            name: admin.decisions.page(Filter(decision=name), limit=1).total for name in _DECISIONS
        }
        return Response(metrics.text(totals, admin.samples.spent()), media_type=CONTENT_TYPE_LATEST)

    return router
