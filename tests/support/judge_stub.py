"""A server on loopback that answers as a judge's provider does, step by step."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.loopback import Loopback, Reply, Request

KEY = "key-of-the-test-0123456789"
MODELS = {"openai": "gpt-4o-mini", "anthropic": "claude-3-haiku-20240307", "azure": "gpt-4o-mini"}
PROVIDERS = tuple(MODELS)
_SLOWEST = 10.0
#: Good replies of the providers' own APIs; Azure has those of OpenAI.
_REPLIES = json.loads(Path(__file__).with_name("judge_replies.json").read_text("ascii"))


class Step(NamedTuple):
    """What one request gets: ``kind`` is text, later, structured, status, raw, slow or drop."""

    kind: str
    text: str = ""
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012


def text(reply: str) -> Step:
    return Step("text", reply)


def structured(score: float) -> Step:
    return Step("structured", json.dumps({"confidence": score}))


def statements(*rows: tuple[int, float, str, str], before: str = "") -> Step:
    names = ("n", "probability", "kind", "why")
    said = json.dumps({"statements": [dict(zip(names, row, strict=True)) for row in rows]})
    return Step("text", before + said) if before else Step("structured", said)


def status(code: int, message: str = "no", **headers: str) -> Step:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step("status", message, code, named)


Answering = Callable[[Request], Step]


class Stub(Loopback):
    """Plays ``steps`` in turn, the last one again and again; keeps ``requests``.

    A step may be a function that makes one of a request.
    """

    def __init__(self, provider: str, steps: tuple[Step | Answering, ...]) -> None:
        super().__init__(self._counted)
        self.provider = provider
        self.steps = list(steps)
        self.requests: list[Request] = []
        self.most_at_once = 0
        self.stopped = threading.Event()
        self._running = 0
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"{self.url}/v1" if self.provider == "openai" else self.url

    @property
    def env(self) -> dict[str, str]:
        return {
            "openai": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": self.address},
            "anthropic": {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.address},
            "azure": {"AZURE_OPENAI_API_KEY": KEY, "AZURE_OPENAI_ENDPOINT": self.address},
        }[self.provider]

    def __exit__(self, *error: object) -> None:
        self.stopped.set()
        super().__exit__(*error)

    def _counted(self, request: Request) -> Reply | None:
        with self._lock:
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
            self.requests.append(request)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        try:
            return self._reply(step if isinstance(step, Step) else step(request), request)
        finally:
            with self._lock:
                self._running -= 1

    def _reply(self, step: Step, request: Request) -> Reply | None:
        if step.kind == "drop":
            return None
        if step.kind == "later":
            self.stopped.wait(1.0)
        if step.kind == "slow":
            self.stopped.wait(float(step.text) if step.text else _SLOWEST)
            step = structured(0.5)
        if step.kind == "raw":
            return Reply(step.text, headers=step.headers)
        if step.kind == "status":
            return Reply(json.dumps(self.refusal(step)), step.status, step.headers)
        return Reply(json.dumps(self.body(step, str(request.body.get("model")))))

    def body(self, step: Step, model: str) -> dict[str, Any]:
        """Return a good reply in the shape of the provider's own API."""
        name = "anthropic" if self.provider == "anthropic" else "openai"
        name += " structured" if (name, step.kind) == ("anthropic", "structured") else ""
        said = json.dumps(step.text if name != "anthropic structured" else json.loads(step.text))
        reply = json.dumps(_REPLIES[name]).replace('"MODEL"', json.dumps(model))
        found: dict[str, Any] = json.loads(reply.replace('"SAID"', said))
        return found

    def refusal(self, step: Step) -> dict[str, Any]:
        """Return the body of an error in the shape of the provider's own API."""
        error = {"type": "invalid_request_error", "message": step.text}
        if self.provider == "anthropic":
            return {"type": "error", "error": error}
        return {"error": {**error, "param": None, "code": None}}


def judge_stub(provider: str, *steps: Step | Answering) -> Stub:
    """Return a stub of ``provider``, which runs as long as it is entered."""
    return Stub(provider, steps)
