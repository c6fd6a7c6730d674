"""Figures for Prometheus; each application has a registry of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from groundwire import __version__
from groundwire.json_codec import loads
from groundwire_admin.service.scored import SpentView

#: Seconds; an analysis takes milliseconds, a judge up to its timeout.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
#: Methods of HTTP that are told apart.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


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
        self._decisions = Gauge(
            "groundwire_decisions",
            "Turns in the database, by what the hook decided.",
            ("decision",),
            registry=self.registry,
        )
        judge = ("method", "provider", "model")
        self._judgements = Gauge(
            "groundwire_judgements",
            "Calculated confidences in the database.",
            judge,
            registry=self.registry,
        )
        self._tokens = Gauge(
            "groundwire_judge_tokens",
            "Tokens that judges read (input) and wrote (output).",
            (*judge, "direction"),
            registry=self.registry,
        )
        self._dollars = Gauge(
            "groundwire_judge_dollars",
            "What judges cost, where it is known.",
            judge,
            registry=self.registry,
        )
        info = Gauge("groundwire_build_info", "Always 1.", ("version",), registry=self.registry)
        info.labels(__version__).set(1)
        for answer in ("block", "report", "nothing", "error"):
            self._hook.labels(answer)

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
