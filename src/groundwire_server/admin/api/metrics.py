"""The server itself: whether it is well, and its figures for Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.responses import Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from pydantic import BaseModel, Field

from groundwire.base.json_codec import loads
from groundwire.base.model import BLOCK, PASS, REPORT
from groundwire.base.version import __version__
from groundwire_server.admin.api.common import problems
from groundwire_server.admin.service import Admin, Filter
from groundwire_server.admin.service.scored import SpentView
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.message import CHALLENGE, HEALTH

#: Seconds; an analysis takes milliseconds, a judge up to its timeout.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
#: Methods of HTTP that are told apart.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
METRICS = "/metrics"
_DECISIONS = (BLOCK, REPORT, PASS)
_TEXT: dict[str, Any] = {
    "description": "Counters and histograms.",
    "content": {"text/plain": {"schema": {"type": "string"}}},
}


class Metrics:
    """Counts requests and the hook's answers."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "groundwire_http_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "groundwire_http_request_seconds",
            "Time from a request to its answer.",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._hook = Counter(
            "groundwire_hook_answers",
            "Answers of POST /hook since the start of the server.",
            ("answer",),
            registry=self.registry,
        )
        judge = ("method", "provider", "model")
        self._decisions = self._gauge(
            "decisions", "Turns in the database, by what the hook decided.", "decision"
        )
        self._judgements = self._gauge(
            "judgements", "Calculated confidences in the database.", *judge
        )
        self._tokens = self._gauge(
            "judge_tokens",
            "Tokens that judges read (input) and wrote (output).",
            *judge,
            "direction",
        )
        self._dollars = self._gauge("judge_dollars", "What judges cost, where it is known.", *judge)
        self._gauge("build_info", "Always 1.", "version").labels(__version__).set(1)
        for answer in ("block", "report", "nothing", "error"):
            self._hook.labels(answer)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"groundwire_{name}", text, labels, registry=self.registry)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        method = method if method in METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def hook_answer(self, status: int, body: bytes) -> None:
        """Count one answer of the hook."""
        answer = "nothing"
        if status != 200:
            answer = "error"
        elif body:
            answer = "block" if loads(body).get("decision") == "block" else "report"
        self._hook.labels(answer).inc()

    def text(self, decisions: Mapping[str, int], spent: Iterable[SpentView]) -> bytes:
        """Return all figures; those of ``decisions`` and ``spent`` are in the database."""
        for decision, count in decisions.items():
            self._decisions.labels(decision).set(count)
        for row in spent:
            labels = (row.method, row.provider, row.model)
            self._judgements.labels(*labels).set(row.judgements)
            self._tokens.labels(*labels, "input").set(row.input_tokens)
            self._tokens.labels(*labels, "output").set(row.output_tokens)
            if row.cost is not None:
                self._dollars.labels(*labels).set(row.cost)
        return generate_latest(self.registry)


Challenge = Annotated[str, Header(alias=CHALLENGE, description="16 to 128 characters.")]


class Health(BaseModel):
    """The state of the server, or with a challenge who it is."""

    version: str = Field(examples=[__version__])
    status: str | None = Field(default=None, examples=["ok"])
    proof: str | None = Field(default=None, description="HMAC over port, version and challenge.")
    admin_proof: str | None = Field(default=None, description="The same by the admin's token.")


def system_router(metrics: Metrics, admin: Admin, handler: HookHandler) -> APIRouter:
    """Return the routes that look at the server itself."""
    router = APIRouter(tags=["system"])

    @router.get(HEALTH, response_model_exclude_none=True, responses=problems())
    def healthz(challenge: Challenge = "") -> Health:
        """Tell that the server and its database answer, with 503 if not; needs no token.

        With a challenge, prove that the server knows the token instead.
        """
        if proofs := handler.proofs(challenge):
            return Health(version=__version__, **proofs)
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
